/** Where things are on machines that boot a whole operating system, and the unit that is there before anything was fetched. */

/** Of ours, on each machine. */
export const FOLDER = '/var/lib/tpi'

/** Powers off when it has given up: whoever watches the group sees a machine that went, and its console says why. */
export const FETCH_UNIT = `[Unit]
FailureAction=poweroff
[Service]
ExecStart=/usr/bin/python3 ${FOLDER}/fetch.py ${FOLDER}
StandardOutput=journal+console
`
