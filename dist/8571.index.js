export const id = 8571;
export const ids = [8571];
export const modules = {

/***/ 58571:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runCommandLine: () => (/* binding */ runCommandLine)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: ./build/js/app.js + 2 modules
var app = __webpack_require__(97298);
// EXTERNAL MODULE: ./build/js/clouds/registry.js + 9 modules
var registry = __webpack_require__(50270);
// EXTERNAL MODULE: ./build/js/core/errors.js
var errors = __webpack_require__(39429);
// EXTERNAL MODULE: ./build/js/core/exit-codes.js
var exit_codes = __webpack_require__(49745);
// EXTERNAL MODULE: ./build/js/core/product-version.js
var product_version = __webpack_require__(21266);
// EXTERNAL MODULE: ./build/js/forges/registry.js + 3 modules
var forges_registry = __webpack_require__(97456);
;// CONCATENATED MODULE: ./build/js/host/colour.js
/** Parameters of SGR (ECMA-48, 8.3.117). Only from the sixteen colours that every theme of a terminal makes readable. */
const CODES = { faint: '2', good: '32', warning: '33', bad: '1;31' };
/** Whether the terminal shows control sequences as text, like a shell in Emacs and many consoles of editors. */
const isDumb = (env) => env['TERM'] === 'dumb';
/** A function that colours each line of a text, or none. The text must be filtered before, because this adds control sequences. */
function painter({ color, env }, stream) {
    const asked = color === 'auto' ? stream.isTTY === true && !env['NO_COLOR'] && !isDumb(env) : color === 'always';
    if (!asked)
        return (text) => text;
    return (text, tones) => text
        .split('\n')
        .map((line, index) => {
        const its = typeof tones === 'string' ? tones : tones(line, index);
        return its === 'plain' || line === '' ? line : `\u001b[${CODES[its]}m${line}\u001b[0m`;
    })
        .join('\n');
}

// EXTERNAL MODULE: ./build/js/host/job-limit.js
var job_limit = __webpack_require__(8704);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(73024);
;// CONCATENATED MODULE: ./build/js/host/job-log.js
/** The log of a CI job that a command writes to: people read it in a browser, and some forges carry out lines of it. */

const NO_JOB = { out: false, err: false, commands: false };
/** Which of these streams end up in the log of a job. A pipe may, as nobody can tell; a file does not. */
function jobLog(inJob, commands, { out, err }) {
    const isRead = ({ isTTY, fd }) => inJob && isTTY !== true && (fd === undefined || !(0,external_node_fs_.fstatSync)(fd).isFile());
    return { out: isRead(out), err: isRead(err), commands };
}
/** A text that stays readable, but has no command for GitHub's runner: `::` after spaces at the start of a line, or `##[` anywhere. */
function inert(text) {
    return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}
/** The same for JSON, whose value does not change. Its lines do not begin with `::`. */
function inertJson(text) {
    return text.replaceAll('##[', '#\\u0023[');
}

// EXTERNAL MODULE: ./build/js/core/host.js
var host = __webpack_require__(21520);
// EXTERNAL MODULE: ./build/js/lib/files.js
var files = __webpack_require__(59381);
;// CONCATENATED MODULE: ./build/js/host/outputs-file.js
/** A file of outputs as `NAME=VALUE` lines, as GitLab reads them (a dotenv report). */





/**
 * Bytes (fewer than 5 KiB) and lines that GitLab takes, unless an administrator has changed that; GitLab.com takes 50 lines or more. If a file has
 * more, the whole job fails. https://docs.gitlab.com/ci/yaml/artifacts_reports/#artifactsreportsdotenv
 */
const MOST_BYTES = 5 * 1024 - 1;
const MOST_LINES = 20;
/** `path` is `undefined` if no outputs were asked for. The file is written again with every value, and complete at any time. */
function outputsFile(path, warn) {
    const values = new Map();
    const named = new Set();
    let written;
    let broken = false;
    return {
        set(name, value) {
            if (path === undefined)
                return;
            values.set(variable(name), value);
            const { text, omitted } = render(values);
            for (const { name: out, why } of omitted) {
                // A program may set thousands of outputs: one that is left out is not looked at again.
                values.delete(out);
                if (!named.has(out))
                    warn(`${out} is not in the outputs file: ${why}`);
                named.add(out);
            }
            if (text === written)
                return;
            try {
                (0,external_node_fs_.renameSync)(writtenBeside(path, text), path);
                written = text;
            }
            catch (error) {
                // The run matters more than this file.
                if (!broken)
                    warn(`outputs-file: ${(0,errors/* describeError */.Uc)(error)}`);
                broken = true;
            }
        },
    };
}
/** Writes the text into a file beside it, and returns its path: it replaces the file as a whole. */
function writtenBeside(path, text) {
    const part = `${path}.part`;
    (0,external_node_fs_.mkdirSync)((0,external_node_path_.dirname)(path), { recursive: true });
    (0,files/* dropLink */.k3)(part);
    (0,external_node_fs_.writeFileSync)(part, text);
    return part;
}
/** Throws an InputError if the file cannot be written. Call it before anything is made, so that a job does not learn that at its end. */
function proveOutputsFile(path) {
    try {
        if ((0,external_node_fs_.statSync)(path, { throwIfNoEntry: false })?.isDirectory())
            throw new Error('it is a folder');
        (0,external_node_fs_.rmSync)(writtenBeside(path, ''));
    }
    catch (cause) {
        throw new errors/* InputError */.dz(`outputs-file: "${path}" cannot be written: ${(0,errors/* describeError */.Uc)(cause)}`, { cause });
    }
}
/** `exit-code` → `TPI_OUT_EXIT_CODE`. The prefix keeps a program from setting the PATH of a later job, or an option of a later command. */
function variable(name) {
    return `${host/* OUTPUT_VARIABLES */.g}${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}
/**
 * The text of the file: values in the order in which they came. One that does not fit is left out, never cut. GitLab puts variables into values, so
 * that a program could read those of a later job: a dollar sign is written twice. https://docs.gitlab.com/ci/variables/#prevent-cicd-variable-expansion
 */
function render(values) {
    const omitted = [];
    const lines = [];
    let bytes = 0;
    for (const [name, value] of values) {
        const line = `${name}=${value.replaceAll('$', '$$$$')}\n`;
        if (/[\r\n]/.test(value))
            omitted.push({ name, why: 'it has several lines' });
        else if (/\p{Cc}/u.test(value.replaceAll('\t', ' ')))
            omitted.push({ name, why: 'it has control characters' });
        else if (bytes + Buffer.byteLength(line) > MOST_BYTES)
            omitted.push({ name, why: `the file may have ${MOST_BYTES} bytes` });
        else if (lines.length >= MOST_LINES)
            omitted.push({ name, why: `the file may have ${MOST_LINES} lines` });
        else {
            lines.push(line);
            bytes += Buffer.byteLength(line);
        }
    }
    return { text: lines.join(''), omitted };
}

// EXTERNAL MODULE: ./build/js/lib/control-characters.js
var control_characters = __webpack_require__(68536);
// EXTERNAL MODULE: ./build/js/lib/redraw.js
var lib_redraw = __webpack_require__(9283);
;// CONCATENATED MODULE: ./build/js/host/command-stream.js
/** Prints the output of a command that runs beside the program (`tpi exec`). */

/**
 * One stream, in parts of any size. It is filtered if people read it, at a terminal or in the log of a job. A file or another program gets
 * the bytes as they are.
 */
class CommandStream {
    #to;
    #shown;
    #redraw;
    constructor(to, shown) {
        this.#to = to;
        this.#shown = shown;
        const isRead = to.isTTY === true || shown.log;
        this.#redraw = isRead ? new lib_redraw/* Redraw */.Q6({ redraws: to.isTTY === true, joins: !shown.log, now: shown.now }) : undefined;
    }
    push(bytes) {
        if (this.#redraw)
            this.#write(this.#redraw.push(bytes));
        else
            this.#to.write(bytes);
    }
    end() {
        if (this.#redraw)
            this.#write(this.#redraw.end());
    }
    #write(text) {
        if (text !== '')
            this.#to.write(this.#shown.finish(text));
    }
}

// EXTERNAL MODULE: ./build/js/lib/text.js
var lib_text = __webpack_require__(40859);
;// CONCATENATED MODULE: ./build/js/host/report-file.js
/** The report of a run as a Markdown file (`report`), where there is no page to show it on. */




/** Several reports of one command (`collect --finished`) follow each other in the file. A file that was there before is replaced. */
function reportFile(path, warn) {
    let text = '';
    return {
        async write(markdown) {
            if (path === undefined)
                return;
            text += `${text === '' ? '' : '\n'}${markdown}\n`;
            try {
                await (0,promises_.mkdir)((0,external_node_path_.dirname)(path), { recursive: true });
                (0,files/* dropLink */.k3)(path);
                await (0,promises_.writeFile)(path, text);
            }
            catch (error) {
                // The run matters more than its report.
                warn(`report: it could not be written: ${(0,lib_text/* messageOf */.bD)(error)}`);
            }
        },
    };
}

// EXTERNAL MODULE: ./build/js/host/secrets.js
var host_secrets = __webpack_require__(95544);
// EXTERNAL MODULE: ./build/js/host/section.js
var section = __webpack_require__(57078);
;// CONCATENATED MODULE: ./build/js/host/status-line.js
/**
 * The line at the bottom of a terminal that shows the state of a run. It is redrawn in place, and the program's output scrolls above it.
 */

const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
const SAVE = '\u001b7';
const RESTORE = '\u001b8';
const ERASE_LINE = '\u001b[2K';
const ERASE_BELOW = '\u001b[J';
/** One row down, in the same column. In the last row, the whole screen scrolls. */
const DOWN = '\u001bD';
const ALL_SCROLLS = '\u001b[r';
const up = (lines) => (lines > 0 ? `\u001b[${lines}A` : '');
const scrollAbove = (row) => `\u001b[1;${row - 1}r`;
const toRow = (row) => `\u001b[${row};1H`;
/** Characters. A longer text scrolls for so long that the line would flicker if it were erased before and drawn again after it. */
const FLOOD = 8192;
/** Columns for the `^C` that a terminal prints at the cursor. If that wrapped into the next row, the line could not be erased. */
const CTRL_C = 2;
/** Rows that a screen must have for the line and something above it. */
const LEAST_ROWS = 3;
/** Its methods return what to write to the screen: in one write together with a text, so that the line is never seen to be missing. */
class StatusLine {
    #screen;
    #paint;
    #text = '';
    /** What is shown now, and in how many columns. */
    #shown;
    /** The number of the last row, if the line is shown there; `undefined`: it is in the row of the cursor. */
    #lastRow;
    constructor(screen, paint) {
        this.#screen = screen;
        this.#paint = paint;
    }
    /** The text from now on; empty: no line. */
    set(text) {
        this.#text = text.replace(/\s/g, ' ');
    }
    /** Removes the line from the screen. */
    erased() {
        if (this.#shown === undefined)
            return '';
        const back = this.#back();
        const lastRow = this.#lastRow;
        this.#shown = undefined;
        this.#lastRow = undefined;
        if (lastRow === undefined)
            return back + ERASE_BELOW;
        // If the screen has another height by now, the line is somewhere below the cursor.
        return lastRow === this.#screen.rows ? SAVE + toRow(lastRow) + ERASE_LINE + RESTORE : ERASE_BELOW;
    }
    /** Draws the line as it is now. `open`: the program's line in the row of the cursor has not ended, so this one goes into the last row. */
    drawn(open) {
        const { rows = 0 } = this.#screen;
        const isBelow = this.#lastRow !== undefined;
        if (this.#text === '' || (open && !isBelow && rows < LEAST_ROWS))
            return this.erased();
        const next = (0,lib_text/* fitting */._Q)(this.#text, this.#columns - 1 - CTRL_C);
        if (isBelow && this.#lastRow !== rows)
            return this.erased() + this.drawn(open);
        if (this.#shown?.text === next.text && (isBelow || !open))
            return '';
        if (isBelow)
            return SAVE + toRow(rows) + ERASE_LINE + this.#line(next) + RESTORE;
        if (!open)
            return this.#back() + this.#line(next, ERASE_BELOW);
        return this.erased() + this.#inLastRow(rows, '');
    }
    /** Prints a text above the line. If the text is long, the line stays visible in the last row, and only the rows above it scroll. */
    above(text, open) {
        const { rows = 0 } = this.#screen;
        const erased = this.erased();
        if (text.length < FLOOD || this.#text === '' || rows < LEAST_ROWS)
            return erased + text + this.drawn(open);
        return erased + this.#inLastRow(rows, scrollAbove(rows)) + text + SAVE + ALL_SCROLLS + RESTORE;
    }
    #inLastRow(rows, region) {
        this.#lastRow = rows;
        return DOWN + up(1) + SAVE + region + toRow(rows) + this.#line((0,lib_text/* fitting */._Q)(this.#text, this.#columns - 1 - CTRL_C)) + RESTORE;
    }
    /** Moves to where the line begins: a terminal that has become narrower shows it in several rows. */
    #back() {
        return this.#shown === undefined ? '' : `\r${up(Math.ceil(this.#shown.width / Math.max(1, this.#columns)) - 1)}`;
    }
    /** Draws the line with wrapping switched off, because terminals do not agree on the width of all characters. */
    #line(fits, rest = '') {
        this.#shown = fits;
        return NO_WRAP + this.#paint(fits.text) + rest + WRAP;
    }
    get #columns() {
        // It is 0 if nobody has told the terminal its size (`docker run -t` in a script).
        return this.#screen.columns || 80;
    }
}

;// CONCATENATED MODULE: ./build/js/host/terminal.js
/** Prints at a terminal, into a pipe, or in a GitLab job: the program's output and facts on stdout, all that tpi says on stderr. */











const LINE_FEED = 10;
/** Prints a line at the terminal from which this command was started, even if its output goes elsewhere. */
function toTerminal(text) {
    try {
        (0,external_node_fs_.writeFileSync)('/dev/tty', `${(0,control_characters/* plainText */.wh)(text)}\n`);
    }
    catch {
        // There is no terminal, so there is nobody to tell.
    }
}
function terminalHost(streams, options) {
    const { out, err } = streams;
    const secrets = new host_secrets/* Secrets */.S();
    const kept = new Map();
    const clean = (text) => secrets.clean(text);
    const { says = (text) => text } = options;
    /** A text of ours, which may contain text of others: names, reasons, answers. */
    const own = (text) => clean((0,control_characters/* plainText */.wh)(says(text)));
    const { log = NO_JOB } = options;
    /** Applied last to all that is written: in the log of a job, nothing of it may be a command. */
    const shown = (to, text) => {
        if (!log.commands || !log[to])
            return text;
        return options.json && to === 'out' ? inertJson(text) : inert(text);
    };
    const commands = new Map();
    const paint = painter(options.colour, err);
    const paintFacts = painter(options.colour, out);
    const redraws = new Map();
    const outputs = outputsFile(options.files.outputs, (message) => host.warn(message));
    const report = reportFile(options.files.report, (message) => host.warn(message));
    let sections = 0;
    let midLine = false;
    let coloured = false;
    const status = new StatusLine(err, (text) => paint(text, 'faint'));
    const oneScreen = isOneScreen(streams);
    const hasStatus = oneScreen && !options.quiet && !isDumb(options.colour.env);
    /** Writes above the status line. */
    const write = (stream, text) => {
        midLine = !text.endsWith('\n');
        stream.write(hasStatus ? status.above(text, midLine) : text);
    };
    const eraseStatus = () => {
        const text = status.erased();
        if (text !== '')
            err.write(text);
    };
    const say = (text, tones = 'faint') => put(paint(own(text), tones));
    const put = (text) => {
        const lineEnd = midLine && oneScreen ? '\n' : '';
        // The program may not have ended its colour: tpi's text would have it, too.
        const plain = coloured && oneScreen ? '\u001b[0m' : '';
        coloured = false;
        write(err, `${lineEnd}${plain}${shown('err', text)}\n`);
    };
    // The program's output goes to stdout, except with --json, where only the JSON does.
    const [program, itsName] = options.json ? [err, 'err'] : [out, 'out'];
    /** With labels, each slot gets whole lines: a line that is redrawn in place could overwrite another slot's, or its own label. */
    const displayFor = (label) => {
        const alone = label === '';
        return { redraws: program.isTTY === true && alone, joins: alone && !options.sections && !log[itsName], now: options.now };
    };
    const host = {
        kind: 'terminal',
        debug: (message) => (options.verbose ? say(message) : undefined),
        info: (message, tones) => (options.quiet ? undefined : say(message, tones)),
        warn: (message) => put(`${paint('warning:', 'warning')} ${own(message)}`),
        error: (message) => put(`${paint('error:', 'bad')} ${own(message)}`),
        openSection(title) {
            const id = `tpi_${(sections += 1)}`;
            if (options.quiet)
                return () => undefined;
            if (!options.sections) {
                say(`── ${title}`);
                return () => undefined;
            }
            put(sectionMark('start', id, options.date(), own(title).replaceAll('\n', ' ')));
            return () => put(sectionMark('end', id, options.date(), ''));
        },
        section: async (title, body) => (0,section/* inSection */.Z)(host.openSection(title), body),
        annotate(level, message) {
            // If there are several faults, each has its own line.
            if (level === 'error')
                message.split('\n').forEach((line) => host.error(line));
            else if (level === 'warning')
                host.warn(message);
            else
                host.info(message);
        },
        script(bytes, speaker = { slot: 0, label: '' }) {
            const redraw = redraws.get(speaker.slot) ?? new lib_redraw/* Redraw */.Q6(displayFor(speaker.label));
            redraws.set(speaker.slot, redraw);
            const text = redraw.push(bytes, speaker.label);
            if (text === '')
                return;
            coloured = (0,lib_redraw/* openColour */.dy)(text, coloured);
            write(program, shown(itsName, clean(text)));
        },
        raw(bytes) {
            if (bytes.length > 0)
                midLine = bytes.at(-1) !== LINE_FEED;
            program.write(bytes);
        },
        command(stream, bytes) {
            const finish = (text) => {
                midLine = !text.endsWith('\n');
                return shown(stream, clean(text));
            };
            const output = commands.get(stream) ?? new CommandStream(stream === 'out' ? out : err, { log: log[stream], now: options.now, finish });
            commands.set(stream, output);
            eraseStatus();
            output.push(bytes);
        },
        status(line) {
            if (!hasStatus)
                return;
            status.set(own(line));
            const text = status.drawn(midLine);
            if (text !== '')
                err.write(text);
        },
        words: own,
        facts: (value) => void out.write(`${shown('out', clean((0,control_characters/* plainJson */.RU)(value)))}\n`),
        print: (text, tones = 'plain') => write(out, `${shown('out', paintFacts(own(text), tones))}\n`),
        // Not `own`: the program has written parts of it, and what it has in backticks is no mention of an option.
        summary: (markdown) => report.write(clean((0,control_characters/* plainText */.wh)(markdown))),
        output: (name, value) => outputs.set(name, clean(value)),
        mask: (secret) => void secrets.add(secret),
        clean,
        state: { get: (name) => kept.get(name), set: (name, value) => void kept.set(name, value) },
        async close() {
            eraseStatus();
            for (const redraw of redraws.values())
                program.write(shown(itsName, clean(redraw.end())));
            for (const output of commands.values())
                output.end();
            redraws.clear();
            commands.clear();
            status.set('');
        },
    };
    return host;
}
/** Whether both streams go to the same terminal. */
function isOneScreen({ out, err }) {
    if (out.isTTY !== true || err.isTTY !== true)
        return false;
    return out.fd === undefined || err.fd === undefined || (0,external_node_fs_.fstatSync)(out.fd).rdev === (0,external_node_fs_.fstatSync)(err.fd).rdev;
}
/** https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections */
function sectionMark(what, id, at, title) {
    return `\u001b[0Ksection_${what}:${Math.floor(at.getTime() / 1000)}:${id}${what === 'start' ? '[collapsed=true]' : ''}\r\u001b[0K${title}`;
}

// EXTERNAL MODULE: ./build/js/lib/clock.js
var clock = __webpack_require__(29668);
// EXTERNAL MODULE: ./build/js/lib/error-code.js
var error_code = __webpack_require__(22516);
// EXTERNAL MODULE: ./build/js/lib/user.js
var user = __webpack_require__(46631);
// EXTERNAL MODULE: ./build/js/options/derive/option-mentions.js
var option_mentions = __webpack_require__(32584);
// EXTERNAL MODULE: ./build/js/options/parse.js + 8 modules
var parse = __webpack_require__(66669);
// EXTERNAL MODULE: ./build/js/options/rows/table.js + 5 modules
var rows_table = __webpack_require__(36818);
// EXTERNAL MODULE: ./build/js/report/closing.js
var closing = __webpack_require__(52554);
// EXTERNAL MODULE: ./build/js/verbs/index.js + 165 modules
var verbs = __webpack_require__(79267);
// EXTERNAL MODULE: ./build/js/core/option.js
var core_option = __webpack_require__(19263);
// EXTERNAL MODULE: ./build/js/options/rows/topics.js
var topics = __webpack_require__(53829);
// EXTERNAL MODULE: ./build/js/options/rows/verbs.js
var rows_verbs = __webpack_require__(9999);
// EXTERNAL MODULE: ./build/js/options/values/read-value.js
var read_value = __webpack_require__(22048);
// EXTERNAL MODULE: ./build/js/options/sources/inputs.js
var inputs = __webpack_require__(95009);
;// CONCATENATED MODULE: ./build/js/options/derive/describe.js




/** Columns of help if the width of the terminal is not known, and at most: longer lines are hard to read. */
const WIDTH = 96;
/** Rows of label and text, the text in a column of its own beside the labels or, where that would be narrow, below each. */
function besides(rows, width, column) {
    const beside = column ?? Math.max(...rows.map(([label]) => label.length)) + 2;
    const below = width - beside < NARROW;
    const indent = below ? INDENT : beside;
    return rows.flatMap(([label, text]) => {
        const lines = (0,lib_text/* wrap */.LV)(text, width - indent).map((line) => ' '.repeat(indent) + line);
        if (below || label.length > indent - 2)
            return [label, ...lines];
        return [label.padEnd(indent) + (lines[0] ?? '').trimStart(), ...lines.slice(1)];
    });
}
/** A narrower column of text is hard to read. */
const NARROW = 40;
const INDENT = 8;
/** Sections in their order. */
const GROUPS = {
    what: 'What to run',
    where: 'Where and on what',
    data: 'Files',
    environment: 'Environment and secrets',
    time: 'Time and checkpoints',
    failure: 'Failure and repetition',
    follow: 'Waiting',
    results: 'Results and reports',
    general: 'General',
    test: 'For tests',
};
const KINDS = {
    string: 'text',
    path: 'path',
    file: 'path',
    int: 'whole number',
    number: 'number',
    bool: 'true or false',
    duration: 'duration',
    size: 'size',
    list: 'list',
    paths: 'list of paths',
    map: 'list of KEY=VALUE',
    choice: 'one of these',
    wait: 'true, false or a duration',
    gpu: 'GPU',
    env: 'list of variables',
    'secret-list': 'list of names',
};
/**
 * Options to show, by section: those of `verb`, without what only the action has, or those of all verbs. Arguments are among them if they can be
 * given as flags.
 */
function grouped(table, verb, source) {
    const rows = verb === undefined ? Object.entries(table.rows) : (0,rows_table/* rowsOf */.RO)(table, verb);
    const shown = rows.filter(([, row]) => !row.hidden && (source === undefined ? hasPlace(row, verb) : (0,rows_table/* takes */.ny)(row, source)));
    return Object.keys(GROUPS).flatMap((group) => {
        const own = shown.filter(([, row]) => row.group === group).map(([name, row]) => ({ name, row }));
        return own.length === 0 ? [] : [[group, own]];
    });
}
function hasPlace(row, verb) {
    const places = row.sources?.filter((source) => verb === undefined || source !== 'input');
    return places === undefined || places.length > 0;
}
/** What follows the name of a flag: ` DIR`, ` a|b`, `[=TIME]` if it may stand alone; nothing for a plain switch. */
function placeholder({ row }) {
    if (row.kind === 'bool')
        return '';
    const text = row.placeholder ?? row.oneOf?.join('|') ?? 'VALUE';
    return (0,read_value/* standsAlone */.pX)(row) ? `[=${text}]` : ` ${text}`;
}
/** `-f, --follow`, `--[no-]gang`, `--spot[=false|true|prefer]`, `--disk-size SIZE`. */
function flagOf(described) {
    const { name, row } = described;
    const value = placeholder(described);
    const negation = row.kind === 'bool' && (0,read_value/* canNegate */.Fl)(row) && row.default === 'true' ? '[no-]' : '';
    return `${row.short === undefined ? '' : `-${row.short}, `}--${negation}${name}${value}`;
}
/** The default, as help shows it; `undefined`: there is none to show. */
function defaultOfRow(row) {
    if (row.defaultText !== undefined)
        return row.defaultText;
    return row.default === '' ? undefined : row.default;
}
/** "one of a, b or c", "at least 1, at most 1000". */
function limits(row) {
    if (row.oneOf)
        return row.oneOf.length === 1 ? undefined : `one of ${(0,lib_text/* listed */.KE)(row.oneOf)}`;
    if (row.pattern)
        return row.pattern.says;
    const parts = [
        row.min === undefined || row.min === 0 ? [] : `at least ${(0,read_value/* written */.Mp)(row, row.min)}`,
        row.max === undefined ? [] : `at most ${(0,read_value/* written */.Mp)(row, row.max)}`,
    ].flat();
    return row.kind === 'size' || parts.length === 0 ? undefined : parts.join(', ');
}
/** Clouds that an option is for: its own, or those that can do what it asks for. Empty: all. */
function cloudsOf(table, row) {
    const able = ({ can }) => row.can === undefined || can[row.can] === true;
    return row.clouds ?? (table.clouds.every(able) ? [] : table.clouds.filter(able).map(({ id }) => id));
}
function choices(row) {
    if (row.oneOf)
        return row.oneOf;
    return row.kind === 'bool' || row.kind === 'wait' ? ['true', 'false'] : [];
}
/** One row as plain data, for `tpi options --json`. */
function factsOf(table, { name, row }) {
    return {
        name,
        kind: row.kind,
        help: row.help,
        verbs: row.verbs,
        list: (0,read_value/* isListKind */.BB)(row.kind),
        ...((0,rows_table/* takes */.ny)(row, 'flag') ? { flag: `--${name}`, ...(row.short === undefined ? {} : { short: `-${row.short}` }) } : {}),
        ...((0,inputs/* isInput */.Xy)(table, name) ? { input: name } : {}),
        ...((0,rows_table/* takes */.ny)(row, 'variable') ? { variables: [(0,rows_table/* variableOf */.Qn)(name), ...(row.variables ?? [])] } : {}),
        ...((0,rows_table/* takes */.ny)(row, 'file') ? { file: name } : {}),
        ...(row.default === undefined || row.default === '' ? {} : { default: row.default }),
        ...(row.defaultText === undefined ? {} : { defaultText: row.defaultText }),
        ...(row.oneOf ? { oneOf: row.oneOf } : {}),
        ...(row.aliases ? { aliases: row.aliases } : {}),
        ...(row.requires ? { requires: row.requires } : {}),
        ...(row.excludes ? { excludes: row.excludes } : {}),
        ...(row.clouds ? { clouds: row.clouds } : {}),
    };
}

;// CONCATENATED MODULE: ./build/js/options/derive/completion.js
/** Shell completion, from the table: verbs, their options, values that are known, and the names of runs that `$TPI_HOME/names` has. */






const NAMES = 'cat "${TPI_HOME:-$HOME/.tpi}/names" 2>/dev/null';
const completion_verbs = Object.keys(rows_verbs/* VERBS */.hU);
function renderCompletion(table, shell) {
    return `# ${shell} completion of tpi\n${SHELLS[shell](table)}`;
}
const SHELLS = {
    bash: (table) => inBash(table),
    // It can run the same function, as a completion of bash.
    zsh: (table) => `autoload -U +X bashcompinit && bashcompinit\n${inBash(table)}`,
    fish: (table) => inFish(table),
};
function inBash(table) {
    const flags = completion_verbs.map((verb) => `    ${verb}) flags=${(0,lib_text/* shellQuoted */.x)(flagsOf(table, verb).join(' '))} ;;`);
    const words = completion_verbs.flatMap((verb) => {
        const offer = argumentOf(table, verb);
        if (offer === undefined)
            return [];
        return [`    ${verb}) COMPREPLY=($(compgen -W ${offer === 'names' ? `"$(${NAMES})"` : (0,lib_text/* shellQuoted */.x)(offer.join(' '))} -- "$cur")) ;;`];
    });
    return `_tpi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb='' flags='' word
  local -i at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -- ]] && return 0
    if [[ -z $verb && $word != -* ]]; then verb="$word"; fi
  done
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = && COMP_CWORD -gt 1 ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [[ -z $verb ]]; then
    COMPREPLY=($(compgen -W ${(0,lib_text/* shellQuoted */.x)([...completion_verbs, '--help', '--version'].join(' '))} -- "$cur"))
    return 0
  fi
  case "$prev" in
${valueCases(table)}
  esac
  case "$verb" in
${flags.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return 0
  fi
  case "$verb" in
${words.join('\n')}
  esac
}
complete -o bashdefault -o default -F _tpi tpi
`;
}
/** Words to offer for the first argument of a verb; `names`: names of runs. */
function argumentOf(table, verb) {
    const { arguments: places, command } = (0,rows_verbs/* verbOf */.rl)(verb);
    const option = places[0]?.option;
    if (option === undefined || (command === 'program' && option !== 'name'))
        return undefined;
    if (option === 'name')
        return 'names';
    const row = table.rows[option];
    if (!row)
        return undefined;
    const offered = [...valuesOf({ row }), ...(verb === 'help' ? topics/* TOPIC_WORDS */.UM : [])];
    return offered.length === 0 ? undefined : offered;
}
function flagsOf(table, verb) {
    return [...optionsOf(table, verb).flatMap((described) => longsOf(described).map((long) => `--${long}`)), '--help'];
}
function optionsOf(table, verb) {
    return grouped(table, verb, 'flag').flatMap(([, own]) => own);
}
/** The flag and, unless it is off by default, the one that switches it off. */
function longsOf({ name, row }) {
    const isOff = row.default === 'false' || (row.kind === 'bool' && row.default === undefined);
    return (0,read_value/* canNegate */.Fl)(row) && !isOff ? [name, `no-${name}`] : [name];
}
const isFile = ({ row }) => (0,core_option/* namesFiles */.E)(row.kind);
const valuesOf = ({ row }) => [...choices(row), ...(row.suggests ?? [])];
/** What to offer after each flag that takes a value. After a flag that may stand alone, other words are offered too. */
function valueCases(table) {
    const rows = optionsOf(table, undefined).filter(({ row }) => row.kind !== 'bool');
    const known = rows.filter((row) => valuesOf(row).length > 0);
    const files = rows.filter((row) => !known.includes(row) && isFile(row));
    const free = rows.filter((row) => !known.includes(row) && !files.includes(row));
    return [
        ...known.map((described) => `    --${described.name}) COMPREPLY=($(compgen -W ${(0,lib_text/* shellQuoted */.x)(valuesOf(described).join(' '))} -- "$cur")); ${after(described)} ;;`),
        `    ${files.map(({ name }) => `--${name}`).join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return 0 ;;`,
        `    ${free.map(({ name }) => `--${name}`).join('|')}) return 0 ;;`,
    ].join('\n');
}
function after({ row }) {
    return (0,read_value/* standsAlone */.pX)(row) ? '[[ $cur != -* && -n $COMPREPLY ]] && return 0' : 'return 0';
}
/** Flags of `complete`: how fish completes the value of an option. */
function takesInFish(described) {
    if ((0,read_value/* standsAlone */.pX)(described.row))
        return '';
    return isFile(described) ? ' -r -F' : ' -x';
}
function inFish(table) {
    const none = `not __fish_seen_subcommand_from ${completion_verbs.join(' ')}`;
    const verbLines = completion_verbs.map((verb) => `complete -c tpi -n ${(0,lib_text/* shellQuoted */.x)(none)} -a ${verb} -d ${(0,lib_text/* shellQuoted */.x)((0,rows_verbs/* verbOf */.rl)(verb).summary)}`);
    const words = completion_verbs.flatMap((verb) => {
        const offer = argumentOf(table, verb);
        if (offer === undefined)
            return [];
        const answer = offer === 'names' ? '(__tpi_names)' : offer.join(' ');
        return [`complete -c tpi -n '__fish_seen_subcommand_from ${verb}' -a ${(0,lib_text/* shellQuoted */.x)(answer)}`];
    });
    const flags = optionsOf(table, undefined).flatMap((described) => {
        const { row } = described;
        const of = completion_verbs.filter((verb) => row.verbs.includes(verb)).join(' ');
        const takes = takesInFish(described);
        const values = valuesOf(described);
        return longsOf(described).map((long) => [
            `complete -c tpi -n '__fish_seen_subcommand_from ${of}' -l ${long}`,
            row.short === undefined || long !== described.name ? '' : ` -s ${row.short}`,
            long === described.name ? takes : '',
            values.length === 0 || row.kind === 'bool' || long !== described.name ? '' : ` -a ${(0,lib_text/* shellQuoted */.x)(values.join(' '))}`,
            ` -d ${(0,lib_text/* shellQuoted */.x)((0,lib_text/* firstSentence */.qi)(row.help))}`,
        ].join(''));
    });
    // For fish, a flag that may stand alone takes no value. So its values are offered among the words that may follow.
    const following = optionsOf(table, undefined).filter((one) => one.row.kind !== 'bool' && (0,read_value/* standsAlone */.pX)(one.row) && valuesOf(one).length > 0);
    const values = following.map((one) => `complete -c tpi -n '__tpi_after --${one.name}' -a ${(0,lib_text/* shellQuoted */.x)(valuesOf(one).join(' '))}`);
    return `function __tpi_names
  set -q TPI_HOME; and set -l home $TPI_HOME; or set -l home $HOME/.tpi
  cat $home/names 2>/dev/null
end
function __tpi_after
  set -l words (commandline -opc)
  test "$words[-1]" = $argv[1]
end
complete -c tpi -f
${[...verbLines, ...words, ...flags, ...values].join('\n')}
`;
}

;// CONCATENATED MODULE: ./build/js/options/derive/help.js
/** `--help` of the program and of each verb. */




/** Flags longer than this have their text on the next line. */
const FLAGS = 30;
/** Ends with a line feed. */
function renderHelp(table, verb, width = WIDTH) {
    return `${(verb === undefined ? overview(width) : helpOf(table, verb, width)).join('\n')}\n`;
}
function overview(width) {
    const column = Math.max(...Object.keys(rows_verbs/* VERBS */.hU).map(({ length }) => length)) + 4;
    return [
        'tpi - cloud machines for CI jobs and laptops, always given back',
        '',
        'Usage: tpi VERB [OPTIONS]',
        ...rows_verbs/* SECTIONS */.bP.flatMap((title) => ['', title, ...besides(verbsOf(title), width, column)]),
        '',
        'Start with',
        `  ${rows_verbs/* VERBS */.hU.task.examples[0]}`,
        '',
        ...(0,lib_text/* wrap */.LV)(`"tpi VERB --help" explains a verb and "tpi options" every option; "tpi help" explains one verb or option, or ${(0,lib_text/* listed */.KE)(Object.keys(topics/* TOPICS */.pO))}. Options can also be set as TPI_NAME variables and in tpi.yaml.`, width),
    ];
}
function verbsOf(section) {
    return Object.entries(rows_verbs/* VERBS */.hU)
        .filter(([, verb]) => verb.section === section)
        .map(([name, { summary }]) => [`  ${name}`, summary]);
}
function helpOf(table, name, width) {
    const verb = (0,rows_verbs/* verbOf */.rl)(name);
    return [
        `tpi ${name} - ${verb.summary}`,
        '',
        ...usage(table, name, verb),
        '',
        ...(0,lib_text/* wrap */.LV)(verb.text, width),
        ...help_optionsOf(table, name, width),
        '',
        verb.examples.length === 1 ? 'Example' : 'Examples',
        ...verb.examples.map((example) => `  ${example}`),
        ...exits(verb, width),
        ...hints(table, name, width),
    ];
}
function usage(table, name, verb) {
    const words = verb.arguments.map(({ option, required, unless }) => {
        const alternatives = [option.toUpperCase(), ...(unless ?? []).map((other) => `--${other}`)];
        if (alternatives.length > 1)
            return `(${alternatives.join(' | ')})`;
        return required ? option.toUpperCase() : `[${option.toUpperCase()}]`;
    });
    const options = grouped(table, name, 'flag').length === 0 ? [] : ['[OPTIONS]'];
    if (verb.command === 'program') {
        const lines = ['-- COMMAND [ARGUMENT]...', '--script-file FILE', '--script TEXT'];
        return lines.map((end, index) => `${index === 0 ? 'Usage:' : '      '} tpi ${name} [OPTIONS] ${end}`);
    }
    return [['Usage: tpi', name, ...words, ...options, ...(verb.command === 'required' ? ['-- COMMAND [ARGUMENT]...'] : [])].join(' ')];
}
function help_optionsOf(table, name, width) {
    const own = new Set((0,rows_verbs/* verbOf */.rl)(name).arguments.map(({ option }) => option));
    return grouped(table, name, 'flag').flatMap(([group, rows]) => {
        const shown = rows.filter((row) => !own.has(row.name));
        return shown.length === 0 ? [] : ['', GROUPS[group], ...besides(shown.map(optionRow), width, FLAGS + 4)];
    });
}
function optionRow(described) {
    const label = `  ${described.row.short === undefined ? '    ' : ''}${flagOf(described)}`;
    const value = defaultOfRow(described.row);
    return [label, `${(0,lib_text/* firstSentence */.qi)(described.row.help)}${value === undefined ? '' : ` [${value}]`}`];
}
function exits(verb, width) {
    // The program's own comes right after 0.
    const order = (code) => (code === 'n' ? 0.5 : Number(code));
    const rows = Object.entries({ ...rows_verbs/* ALWAYS */.qI, ...verb.exits }).toSorted(([a], [b]) => order(a) - order(b));
    return [
        '',
        'Exit codes',
        ...besides(rows.map(([code, text]) => [`  ${code}`, text]), width, 8),
    ];
}
function hints(table, name, width) {
    const count = grouped(table, name, 'flag').flatMap(([, rows]) => rows).length;
    if (count === 0)
        return [];
    return [
        '',
        ...(0,lib_text/* wrap */.LV)(`Defaults are in brackets. "tpi options ${name}" says more about ${count === 1 ? 'this option' : `these ${count} options`}.`, width),
    ];
}
/** Ends with a line feed. */
function renderTopic(name, width = WIDTH) {
    const { title, text, rows } = topics/* TOPICS */.pO[name];
    const plain = rows.map((row) => row.map((cell) => cell.replaceAll('`', '')));
    const labels = (0,lib_text/* columns */.YB)(plain.map((row) => row.slice(0, -1)));
    const lines = besides(plain.map((row, index) => [`  ${labels[index] ?? ''}`, row.at(-1) ?? '']), width);
    return `${[title, '', ...lines, '', ...(0,lib_text/* wrap */.LV)(text, width)].join('\n')}\n`;
}

;// CONCATENATED MODULE: ./build/js/options/derive/listing.js
/** `tpi options`: every option in full, as text or as data. */




/** Ends with a line feed. */
function renderOptions(table, verb, width = WIDTH) {
    const lines = grouped(table, verb).flatMap(([group, rows]) => [
        GROUPS[group].toUpperCase(),
        '',
        ...rows.flatMap((row) => [...entry(table, row, width), '']),
    ]);
    return lines.join('\n');
}
/** One option, by its name; ends with a line feed. */
function renderOption(table, name, width = WIDTH) {
    const row = table.rows[name];
    if (!row)
        return '';
    const { verbs, requires = [], excludes = [] } = row;
    const notes = [
        `For ${verbs.map((verb) => `"tpi ${verb}"`).join(', ')}.`,
        requires.length === 0 ? [] : `Needs ${requires.map((other) => `--${other}`).join(', ')}.`,
        excludes.length === 0 ? [] : `Not together with ${excludes.map((other) => `--${other}`).join(', ')}.`,
    ].flat();
    return `${[...entry(table, { name, row }, width), ...notes.flatMap((note) => (0,lib_text/* wrap */.LV)(note, width - 6).map((line) => `      ${line}`))].join('\n')}\n`;
}
/** What `renderOptions` prints, as data. */
function optionFacts(table, verb) {
    return grouped(table, verb).flatMap(([, rows]) => rows.map((row) => factsOf(table, row)));
}
function optionFact(table, name) {
    const row = table.rows[name];
    return row && factsOf(table, { name, row });
}
function entry(table, described, width) {
    const { name, row } = described;
    const value = defaultOfRow(row);
    const limit = limits(row);
    const facts = [
        row.kind === 'choice' ? [] : KINDS[row.kind],
        limit ?? [],
        value === undefined ? [] : `default: ${value}`,
        (0,rows_table/* takes */.ny)(row, 'variable') ? (0,rows_table/* variableOf */.Qn)(name) : [],
        (0,inputs/* isInput */.Xy)(table, name) ? 'action input' : [],
        (0,rows_table/* takes */.ny)(row, 'file') ? 'tpi.yaml' : [],
        row.aliases ? `other names that are taken: ${row.aliases.join(', ')}` : [],
    ].flat();
    const title = (0,rows_table/* takes */.ny)(row, 'flag') ? flagOf(described) : name;
    return [`  ${title}`, ...[...(0,lib_text/* wrap */.LV)(row.help, width - 6), ...(0,lib_text/* wrap */.LV)(`(${facts.join('; ')})`, width - 6)].map((line) => `      ${line}`)];
}

;// CONCATENATED MODULE: ./build/js/verbs/info.js
/** Verbs that print facts about the program itself, and ask no cloud: help, version, options, completion. */








const infoVerbs = {
    help: (table, { values: { topic } }, width) => (topic === undefined ? renderHelp(table, undefined, width) : explain(table, topic, width)),
    version: (_table, { values }) => (values.json ? JSON.stringify({ version: product_version/* VERSION */.x, node: process.versions.node }, null, 2) : product_version/* PROGRAM */.R),
    options: (table, { values: { topic, json } }, width) => {
        const option = topic === undefined || (0,rows_verbs/* isVerb */.ek)(topic) ? undefined : (0,rows_table/* optionMeant */.RH)(table, topic);
        if (json)
            return JSON.stringify(option === undefined ? optionFacts(table, topic) : optionFact(table, option), null, 2);
        return option === undefined ? renderOptions(table, topic, width) : renderOption(table, option, width);
    },
    completion: (table, { values }) => renderCompletion(table, values.shell ?? 'bash'),
};
/** The parser has made sure that `topic` is a verb, an option or a subject. */
function explain(table, topic, width) {
    if ((0,rows_verbs/* isVerb */.ek)(topic))
        return renderHelp(table, topic, width);
    const option = (0,rows_table/* optionMeant */.RH)(table, topic);
    if (option !== undefined)
        return renderOption(table, option, width);
    const subject = (0,topics/* topicMeant */.Jv)(topic);
    return subject === undefined ? '' : renderTopic(subject, width);
}
/** `columns`: of the terminal, if there is one; 0 if it does not say. */
function answerInfo(table, verb, parsed, columns) {
    return infoVerbs[verb](table, parsed, columns ? Math.min(columns, WIDTH) : undefined).trimEnd();
}

// EXTERNAL MODULE: ./build/js/verbs/shared/error-exit.js
var error_exit = __webpack_require__(16092);
// EXTERNAL MODULE: ./build/js/verbs/shared/signals.js
var signals = __webpack_require__(99572);
;// CONCATENATED MODULE: ./build/js/cli.js
/** The command line: parse, answer what the program knows of itself, or run a verb. */

























/** Resolves to the exit code. */
async function runCommandLine(process) {
    const { argv, env, stdout, stderr } = process;
    const table = (0,rows_table/* optionTable */.sX)(registry/* clouds */.P);
    const there = { readFile: (path) => (0,promises_.readFile)(path, 'utf8'), ownersOf: user/* ownersOf */.K2, user: (0,user/* ownNumber */.Kz)() };
    let surroundings;
    let parsed;
    try {
        surroundings = { env, cwd: folderOf(process), ...there, readStdin: () => readAll(process.stdin) };
        parsed = await (0,parse/* parseCommandLine */.Du)(table, argv, surroundings);
        const outputs = atCwd(surroundings.cwd, parsed.values['outputs-file']);
        if (outputs !== undefined && (0,verbs/* acts */.Ij)(parsed.verb))
            proveOutputsFile(outputs);
    }
    catch (error) {
        return refused(process, table, error);
    }
    const { cwd } = surroundings;
    const { verb, values } = parsed;
    const { json, quiet, verbose, color } = values;
    const around = (0,forges_registry/* forgeAround */.vj)(env)?.ci;
    const files = { outputs: atCwd(cwd, values['outputs-file']), report: atCwd(cwd, values.report) };
    const host = terminalHost({ out: stdout, err: stderr }, {
        json,
        quiet,
        verbose,
        colour: { color, env },
        ...clock/* systemClock */.ml,
        says: (0,option_mentions/* inFlags */.r)(table),
        sections: around?.sections === true,
        log: jobLog(around !== undefined || !!env['CI'], around?.commands === true, { out: stdout, err: stderr }),
        files,
    });
    const cis = forges_registry/* forges */.FI.map(({ ci }) => ci);
    const parts = {
        host,
        surroundings,
        signals: (0,signals/* listenFor */.Pf)({ on: (event, listener) => process.on(event, listener) }, clock/* systemClock */.ml.now, [stdout, stderr]),
        // Ctrl-C comes from a terminal, wherever our words go (`2>log`, `2>&1 | tee log`). In CI nobody sits there.
        interactive: stderr.isTTY || (!env['CI'] && (process.stdin.isTTY || stdout.isTTY)),
        ...(stderr.isTTY ? {} : { toTerminal: toTerminal }),
        user: (0,app/* userHere */.oD)(env),
        agentFile: process.agentFile,
        platform: process.platform,
        ciJob: { timeLeft: () => (0,job_limit/* jobTimeLeft */.U)(cis, env, clock/* systemClock */.ml.date()) },
    };
    const code = (0,verbs/* acts */.Ij)(verb) ? await (0,app/* runVerb */.b0)(parts, verb, parsed) : exit_codes/* EXIT */.dc.ok;
    if (!(0,verbs/* acts */.Ij)(verb)) {
        await (0,app/* recoverHome */.o$)(parts, parsed);
        stdout.write(`${answerInfo(table, verb, parsed, stdout.columns)}\n`);
    }
    // Once this has been flushed, it is known whether all of the output could be written.
    await new Promise((resolve) => stdout.write('', () => resolve()));
    if (code !== exit_codes/* EXIT */.dc.ok || parts.signals.kind() !== 'full')
        return code;
    const { message, exitCode, outcome } = (0,error_exit/* exitOf */.s)(parts.signals.first.reason);
    host.error(message);
    host.info((0,closing/* lastLine */.fM)(outcome, exitCode));
    return exitCode;
}
/** Reports a fault of the command line, before there is a host to print it. Returns the exit code. */
function refused({ argv, env, stdout, stderr }, table, error) {
    const { message: said, exitCode, outcome, stack } = (0,error_exit/* exitOf */.s)(error);
    const message = (0,option_mentions/* inFlags */.r)(table)(said);
    const paint = painter({ color: 'auto', env }, stderr);
    for (const line of (0,control_characters/* plainText */.wh)(message).split('\n'))
        stderr.write(`${paint('error:', 'bad')} ${line}\n`);
    if (stack !== undefined)
        stderr.write((0,control_characters/* plainText */.wh)(`${product_version/* PROGRAM */.R}\n${stack}\n`));
    stderr.write(`${(0,closing/* lastLine */.fM)(outcome, exitCode)}\n`);
    if ((0,parse/* wantsJson */.k0)(table, argv, env))
        stdout.write(`${(0,control_characters/* plainJson */.RU)({ outcome, exitCode, error: message })}\n`);
    return exitCode;
}
function folderOf({ cwd }) {
    try {
        return cwd();
    }
    catch (cause) {
        if (!(0,error_code/* hasCode */.up)(cause, 'ENOENT', 'EACCES', 'EPERM'))
            throw cause;
        throw new errors/* InputError */.dz('the current folder has been removed, or cannot be read', { cause, hint: 'go to another one' });
    }
}
function atCwd(cwd, path) {
    return path === undefined ? undefined : (0,external_node_path_.resolve)(cwd, path);
}
async function readAll(stream) {
    const chunks = [];
    for await (const chunk of stream)
        chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
}


/***/ })

};
