"""Runs the steps of action.yml here, as GitHub's runner would: action.py ACTION FOLDER INPUT=VALUE…

The wheel that it installs is one whose program is the one under test."""
import os
import re
import subprocess
import sys
import zipfile

import yaml

WHEEL = "shakedown-0.1.0-py3-none-any.whl"


def make_wheel(folder):
    """A program that calls ours."""
    path = os.path.join(folder, WHEEL)
    info = "shakedown-0.1.0.dist-info/"
    with zipfile.ZipFile(path, "w") as wheel:
        script = zipfile.ZipInfo("shakedown-0.1.0.data/scripts/shakedown")
        script.external_attr = 0o100755 << 16
        wheel.writestr(script, '#!/bin/sh\nexec "%s" "$@"\n' % os.environ["SHAKEDOWN"])
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: shakedown\nVersion: 0.1.0\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
                       "Tag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")
    return path


def main(action, folder, *given):
    folder = os.path.abspath(folder)
    with open(action, encoding="utf-8") as file:
        said = yaml.safe_load(file)
    inputs = {name: str(one.get("default", "")) for name, one in said["inputs"].items()}
    inputs.update(pair.split("=", 1) for pair in given)
    inputs["from"] = make_wheel(folder)
    status = 0
    with open(os.path.join(folder, "python3"), "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
    os.chmod(file.name, 0o755)
    variables = dict(os.environ, RUNNER_TEMP=os.path.join(folder, "temp"))
    for name in ("PATH", "ENV", "STEP_SUMMARY", "OUTPUT"):
        variables["GITHUB_" + name] = os.path.join(folder, name.split("_")[-1].lower())
        open(variables["GITHUB_" + name], "w").close()

    def filled(text):
        return re.sub(r"\${{ inputs\.([a-z]+) }}", lambda found: inputs[found.group(1)], text)
    for step in said["runs"]["steps"]:
        if "uses" in step:
            continue
        environment = dict(variables, **{name: filled(text) for name, text in step.get("env", {}).items()})
        with open(variables["GITHUB_PATH"], encoding="utf-8") as file:
            environment["PATH"] = ":".join(file.read().split() + [folder, environment["PATH"]])
        with open(variables["GITHUB_ENV"], encoding="utf-8") as file:
            environment.update(line.split("=", 1) for line in file.read().splitlines())
        status = status or subprocess.run(["bash", "-e", "-c", step["run"]], cwd=folder, check=False,
                                          env=environment).returncode
        print(step["name"], status)
    return status


sys.exit(main(*sys.argv[1:]))
