"""What a machine of the checks does, and says of its surroundings: one line for each thing, which begins with "smoke:"."""
import os
import socket
import subprocess
import sys
import threading
import time

INDEX, ATTEMPT = os.environ.get("TPI_INDEX", "-"), os.environ.get("TPI_ATTEMPT", "-")
PORT = 7077
PATIENCE = 180
# Kills the agent for good, and disables everything on the machine that would switch it off.
ALONE = """sed -i '/Action=/d; /^Restart=/d' /run/systemd/system/tpi-agent.service
systemctl daemon-reload
systemctl stop tpi-deadline.timer
systemctl kill --signal=KILL tpi-agent.service"""


def say(*words):
    print("smoke:", *words, flush=True)


def up():
    """Seconds since its first process began."""
    began = int(open("/proc/1/stat").read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
    return round(float(open("/proc/uptime").read().split()[0]) - began, 1)


def reach(who, addresses):
    for address in addresses:
        host, port = address.rsplit(":", 1)
        try:
            socket.create_connection((host, int(port)), timeout=3).close()
            say("reaches", INDEX, who, address, "open")
        except OSError:
            say("reaches", INDEX, who, address, "closed")


def resolve(name):
    try:
        said = socket.getaddrinfo(name, 443)[0][4][0]
    except socket.gaierror as error:
        said = "no-such-name" if error.errno in (socket.EAI_NONAME, -5) else "no-answer"
    say("resolves", INDEX, name, said)


def peer():
    """The address of the other one, once it is there."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        others = [line for at, line in enumerate(open(os.environ["TPI_PEERS_FILE"]).read().split("\n")) if str(at) != INDEX and line]
        if others:
            return others[0]
        time.sleep(0.5)
    return None


def meet():
    """Either reaches the other, and is reached by it, before one of them goes on."""
    server = socket.create_server(("", PORT), reuse_port=True)
    heard = threading.Event()

    def answer():
        while True:
            try:
                server.accept()[0].close()
            except OSError:
                return
            heard.set()

    threading.Thread(target=answer, daemon=True).start()
    other, began = peer(), time.monotonic()
    while other and time.monotonic() < began + PATIENCE:
        try:
            socket.create_connection((other, PORT), timeout=3).close()
            return say("peer", INDEX, "reached", "and-heard" if heard.wait(PATIENCE) else "and-not-heard")
        except OSError:
            time.sleep(0.5)
    return say("peer", INDEX, "unknown" if other is None else "out-of-reach", "-")


def pair(name, addresses):
    say("begins", INDEX, ATTEMPT, up())
    with open("r-" + INDEX, "a") as file:
        file.write(INDEX + " " + ATTEMPT + "\n")
    if ATTEMPT == "1":
        resolve(name)
        reach("script", addresses)
        subprocess.run(["sudo", "-n", sys.executable, __file__, "reach", INDEX, *addresses])
        meet()
    if INDEX == "0":
        sys.exit(3)
    while True:
        time.sleep(1)


def standby():
    say("begins", INDEX, ATTEMPT, up())
    # Time for the checks to empty the group, and to see the machine.
    time.sleep(20)


def hung():
    say("alone", INDEX, ATTEMPT, up())
    # Gives the line time to arrive.
    time.sleep(3)
    subprocess.run(["sudo", "-n", "sh", "-c", ALONE])
    time.sleep(86400)


what, *rest = sys.argv[1:]
if what == "reach":
    INDEX = rest[0]
    reach("sudo", rest[1:])
elif what == "pair":
    pair(rest[0], rest[1:])
elif what == "standby":
    standby()
else:
    hung()
