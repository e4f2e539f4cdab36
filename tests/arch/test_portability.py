"""Everything imports where Linux is absent (macOS, Windows)."""

import subprocess
import sys

# Third-party packages are imported first, as themselves: only this project's modules are then
# imported again on a Python without what Linux alone has. The protocol stays: a message type
# is registered once per process.
IMPORT_ALL = """
import importlib, os, pkgutil, signal, socket, sys

def modules():
    for root in ("elfer", "referee"):
        package = importlib.import_module(root)
        yield root
        for module in pkgutil.walk_packages(package.__path__, root + "."):
            if not module.name.startswith("referee.store.migrations"):
                yield module.name

for name in modules():
    importlib.import_module(name)

for name in list(sys.modules):
    if name.split(".")[0] in ("elfer", "referee") and not name.startswith("elfer.v1"):
        del sys.modules[name]
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for owner, names in {
    os: ["fork", "geteuid", "getpgid", "getuid", "killpg", "sched_getaffinity", "setsid",
         "WNOHANG", "waitid", "wait4", "uname", "O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY"],
    signal: ["SIGKILL", "SIGHUP", "SIGCHLD", "SIGUSR1", "pthread_sigmask"],
    socket: ["AF_UNIX"],
}.items():
    for name in names:
        delattr(owner, name)
sys.platform = sys.argv[1]

names = list(modules())
assert names
for name in names:
    importlib.import_module(name)
"""


def test_every_module_imports_without_linux() -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, "win32"], capture_output=True, text=True, timeout=50
    )
    assert outcome.returncode == 0, outcome.stderr
