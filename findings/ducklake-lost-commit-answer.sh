#!/usr/bin/env bash
# duckdb 1.5.5 with duckdb-extension-ducklake and duckdb-extension-postgres-scanner 1.5.5, PostgreSQL 16 of pgserver 0.1.4 (PyPI).
# A connection that ends between PostgreSQL's COMMIT and its answer leaves open whether the transaction was made. DuckLake takes it as
# failed and deletes the Parquet files that the transaction wrote; PostgreSQL has made it. From then on the catalog names a file that
# does not exist: each read of the table fails, of the rows before it too, until somebody edits the catalog. Seen:
#   INSERT: failed, the COMMIT had no answer
#   snapshots before and after: 2 3
#   files that the catalog names: 2, of them gone: 1
#   SELECT: IO Error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet duckdb==1.5.5 duckdb-extension-ducklake==1.5.5 duckdb-extension-postgres-scanner==1.5.5 pgserver==0.1.4
cat >lost.py <<'PYTHON'
import glob
import os
import re
import site
import socket
import subprocess
import sys
import threading

import duckdb
import pgserver

packages = site.getsitepackages()[0]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# PostgreSQL on a port of this machine.
port = free_port()
binaries = os.path.join(os.path.dirname(pgserver.__file__), "pginstall", "bin")
place = os.path.join(os.getcwd(), "cluster")
as_user = {}
if os.getuid() == 0:
    as_user = {"user": "nobody"}
    subprocess.run(["chmod", "-R", "a+rX", os.getcwd()], check=True)
    os.makedirs(place)
    subprocess.run(["chown", "nobody", place], check=True)
subprocess.run([f"{binaries}/initdb", "-D", place, "-U", "lake", "-A", "trust"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **as_user)
flags = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place}"
subprocess.run([f"{binaries}/pg_ctl", "-D", place, "-w", "-l", f"{place}/log", "-o", flags, "start"], check=True, stdout=subprocess.DEVNULL, cwd="/", **as_user)

cutting = threading.Event()


def serve(client):
    """Passes bytes on; while `cutting`, ends the connection instead of passing on the answer to the COMMIT of a new snapshot."""
    server = socket.create_connection(("127.0.0.1", port))
    state = {"writes": False, "commits": False}

    def to_server():
        while data := client.recv(65536):
            state["writes"] |= b"ducklake_snapshot VALUES" in data
            state["commits"] = cutting.is_set() and state["writes"] and b"COMMIT" in data
            server.sendall(data)

    def to_client():
        while data := server.recv(65536):
            if state["commits"]:
                break
            client.sendall(data)
        for one in (client, server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def quietly(work):
        try:
            work()
        except OSError:
            pass

    for work in (to_server, to_client):
        threading.Thread(target=quietly, args=(work,), daemon=True).start()


def proxy():
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            serve(listener.accept()[0])

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def attach(at):
    connection = duckdb.connect()
    for name in ("postgres_scanner", "ducklake"):
        (path,) = glob.glob(f"{packages}/duckdb_extension_{name}/**/{name}.duckdb_extension", recursive=True)
        connection.execute(f"LOAD '{path}'")
    connection.execute(
        f"ATTACH 'ducklake:postgres:host=127.0.0.1 port={at} user=lake dbname=postgres' AS lake (DATA_PATH '{os.getcwd()}/rows/', DATA_INLINING_ROW_LIMIT 0)"
    )
    connection.execute("USE lake")
    return connection


def snapshots():
    return attach(port).execute("SELECT count(*) FROM lake.snapshots()").fetchone()[0]


try:
    writer = attach(proxy())
    writer.execute("CREATE TABLE waits (minutes INTEGER)")
    writer.execute("INSERT INTO waits VALUES (7)")
    before = snapshots() - 1
    cutting.set()
    try:
        writer.execute("INSERT INTO waits VALUES (12)")
        print("INSERT: made")
    except duckdb.Error as error:
        assert re.search("COMMIT.*server closed the connection", str(error), re.S), error
        print("INSERT: failed, the COMMIT had no answer")
    cutting.clear()
    reader = attach(port)
    print("snapshots before and after:", before, snapshots() - 1)
    named = [row[0] for row in reader.execute("SELECT data_file FROM ducklake_list_files('lake', 'waits')").fetchall()]
    print(f"files that the catalog names: {len(named)}, of them gone: {sum(not os.path.exists(path) for path in named)}")
    try:
        print("SELECT:", reader.execute("SELECT minutes FROM waits ORDER BY ALL").fetchall())
    except duckdb.Error as error:
        print("SELECT:", str(error).split(":")[0])
    sys.stdout.flush()
finally:
    subprocess.run([f"{binaries}/pg_ctl", "-D", place, "-m", "immediate", "stop"], stdout=subprocess.DEVNULL, cwd="/", **as_user)
os._exit(0)
PYTHON
python/bin/python lost.py | tee seen
diff seen <(printf 'INSERT: failed, the COMMIT had no answer\nsnapshots before and after: 2 3\nfiles that the catalog names: 2, of them gone: 1\nSELECT: IO Error\n')
