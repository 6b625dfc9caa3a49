#!/usr/bin/env bash
# cap-tools 3.1.1 (PyPI).
# AlertState keeps the warnings that are in force: an Update or a Cancel takes away those that it refers to. A message of CAP may refer to any
# number of earlier ones (CAP 1.2, 3.2.1, references), and an update of an update may name the whole chain. The first warning has then been
# taken away already: KeyError, when the new message is kept and the rest of the chain is not taken away yet. With the oldest first, a program
# that logs the error and goes on has two versions of one warning in force. It is the same for who begins to listen in the middle of a chain. A
# Cancel stays in the list as if it were a warning, though it has nothing to warn of, so that a cancelled warning is still one in force. Seen:
#   Alert A: in force A
#   Update B of A: in force B
#   Update C of B: in force C
#   Update C of A and B: KeyError, in force B C
#   Update C of B and A: KeyError, in force C
#   Cancel D of B: in force D
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet cap-tools==3.1.1
cat >ingest.py <<'PY'
from cap_tools import AlertState
from cap_tools.models import Alert
from xsdata.formats.dataclass.parsers import XmlParser

SENT = {name: f"2026-11-30T{9 + i:02}:00:00-05:00" for i, name in enumerate("ABCD")}


def message(kind, name, of):
    references = " ".join(f"warnings@example.org,{earlier},{SENT[earlier]}" for earlier in of)
    xml = f"""<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
      <identifier>{name}</identifier><sender>warnings@example.org</sender><sent>{SENT[name]}</sent>
      <status>Actual</status><msgType>{kind}</msgType><scope>Public</scope>
      {f"<references>{references}</references>" if of else ""}
    </alert>"""
    return XmlParser().from_string(xml, Alert)


def state(*messages):
    alerts = AlertState()
    for kind, name, of in messages:
        error = ""
        try:
            alerts.ingest(message(kind, name, of))
        except KeyError:
            error = "KeyError, "
    told = f"{kind} {name}" + (f" of {' and '.join(of)}" if of else "")
    print(f"{told}: {error}in force {' '.join(alert.identifier for alert in alerts)}")


first, second = ("Alert", "A", ""), ("Update", "B", "A")
state(first)
state(first, second)
state(first, second, ("Update", "C", "B"))
state(first, second, ("Update", "C", "AB"))
state(first, second, ("Update", "C", "BA"))
state(first, second, ("Cancel", "D", "B"))
PY
venv/bin/python ingest.py | tee seen
diff seen - <<'SEEN'
Alert A: in force A
Update B of A: in force B
Update C of B: in force C
Update C of A and B: KeyError, in force B C
Update C of B and A: KeyError, in force C
Cancel D of B: in force D
SEEN
