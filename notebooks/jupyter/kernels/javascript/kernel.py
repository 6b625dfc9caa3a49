"""The kernel of the notebooks for Jupyter: their cells are JavaScript, and one Node.js process runs them (cells.mjs).

JUPYTER_PATH=notebooks/jupyter jupyter lab
"""

import json
import os
import subprocess

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

CELLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "cells.mjs")


class NodeKernel(Kernel):
    implementation = "holdshort"
    implementation_version = "1"
    language_info = {"name": "javascript", "mimetype": "text/javascript", "file_extension": ".js"}
    banner = "JavaScript, run by Node.js"

    def __init__(self, **options):
        super().__init__(**options)
        node = os.environ.get("HOLDSHORT_NODE", "node")
        pipe = subprocess.PIPE
        self.node = subprocess.Popen([node, CELLS], stdin=pipe, stdout=pipe, text=True, encoding="utf-8")

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False):
        self.node.stdin.write(json.dumps(code) + "\n")
        self.node.stdin.flush()
        line = self.node.stdout.readline()
        ended = {"name": "Error", "message": "Node.js ended", "stack": ""}
        answer = json.loads(line) if line else {"output": "", "error": ended}
        if answer["output"] and not silent:
            self.send_response(self.iopub_socket, "stream", {"name": "stdout", "text": answer["output"]})
        error = answer["error"]
        if error is None:
            done = {"status": "ok", "execution_count": self.execution_count}
            return {**done, "payload": [], "user_expressions": {}}
        fault = {"ename": error["name"], "evalue": error["message"], "traceback": error["stack"].split("\n")}
        self.send_response(self.iopub_socket, "error", fault)
        return {"status": "error", "execution_count": self.execution_count, **fault}

    def do_shutdown(self, restart):
        self.node.stdin.close()
        self.node.wait()
        return {"status": "ok", "restart": restart}


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=NodeKernel)
