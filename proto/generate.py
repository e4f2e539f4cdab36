"""Generate the Python protocol, with its types, into a folder: ``generate.py OUT``."""

import subprocess
import sys
from pathlib import Path

PROTO = Path(__file__).resolve().parent
SERVICES = ["elfer/v1/play.proto"]


def generate(out: Path) -> None:
    """Write ``elfer/v1/*_pb2*`` below ``out``, in place of what was generated there before."""
    package = out / "elfer" / "v1"
    package.mkdir(parents=True, exist_ok=True)
    for stale in package.glob("*_pb2*.py*"):
        stale.unlink()
    messages = sorted(str(file.relative_to(PROTO)) for file in PROTO.rglob("*.proto"))
    target = out.resolve()
    _protoc(messages, f"--python_out={target}", f"--mypy_out=quiet:{target}")
    _protoc(SERVICES, f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}")


def _protoc(files: list[str], *outputs: str) -> None:
    scripts = Path(sys.executable).parent
    plugins = [
        f"--plugin=protoc-gen-{name}={scripts / f'protoc-gen-{name}'}"
        for name in ("mypy", "mypy_grpc")
    ]
    command = [sys.executable, "-m", "grpc_tools.protoc", "--proto_path=.", *plugins]
    subprocess.run([*command, *outputs, *files], cwd=PROTO, check=True)


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
