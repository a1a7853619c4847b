"""The scenarios of OAuth of the conformance suite, with `portcullis login` and a host behind `portcullis run --url` as the client."""

import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from suite import STATEFUL, STATELESS, TOOLS, listed, read, suite

HERE = Path(__file__).resolve().parent
REVISIONS = [STATEFUL, STATELESS]
# In milliseconds; only reached where something hangs.
LONGEST = 120_000

# Scenarios in which a person must not be logged in, and what they are told.
REFUSED = {
    "auth/resource-mismatch": "which is not where it is",
    "auth/iss-supported-missing": "does not say which issuer it is of",
    "auth/iss-wrong-issuer": "that of another issuer",
    "auth/iss-unexpected": "that of another issuer",
    "auth/iss-normalized": "that of another issuer",
    "auth/metadata-issuer-mismatch": "are those of another one",
}
# What is not spoken, and why.
LEFT_OUT = {
    "auth/client-credentials": "there is a person here",
    "auth/enterprise-managed-authorization": "an extension",
    "auth/dpop": "an extension",
    "auth/wif-jwt-bearer": "an extension",
}


def run(revision, scenario):
    """What is wrong with one scenario; nothing, where all is well."""
    with tempfile.TemporaryDirectory(prefix="portcullis-logins-") as folder:
        result = Path(folder) / "result.json"
        environment = {"LOGIN_REVISION": revision, "LOGIN_RESULT": str(result), "PORTCULLIS_TOOLS": str(TOOLS)}
        words = ["--command", f"{sys.executable} {HERE / 'login_client.py'}", "--scenario", scenario]
        words += ["--spec-version", revision, "--timeout", LONGEST, "--output-dir", folder]
        done = suite("client", *words, environment=environment)
        if scenario not in (found := read(folder, "")) or not result.exists():
            return [f"the suite found nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}"]
        wrong = [line for line in found[scenario].outcomes if not line.endswith(": SUCCESS")]
        came = json.loads(result.read_text())
    words = REFUSED.get(scenario)
    if came["worked"] != (words is None) or (words or "") not in came["shown"]:
        wrong.append(f"came to this: {came}")
    return wrong


def main():
    began = time.monotonic()
    pattern = sys.argv[1] if len(sys.argv) > 1 else "auth/"
    known = [(revision, name) for revision in REVISIONS for name in listed(revision)["client"] if name.startswith("auth/")]
    chosen = [one for one in known if pattern in one[1] and not one[1].startswith(tuple(LEFT_OUT))]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(lambda one: run(*one), chosen))
    failed = 0
    for (revision, scenario), wrong in zip(chosen, results):
        failed += bool(wrong)
        print(f"{'DIFFERS' if wrong else 'passed '}  {revision}  {scenario}", *wrong, sep="\n    " if wrong else "")
    print(f"{len(chosen)} logins in {time.monotonic() - began:.0f} s: {'as expected' if not failed else 'not as expected'}")
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main()
