/** A small terminal that records every action besides showing text, to check what we print. It shares no code with the filter. */

const FINAL = /[@-~]/

/** Records in `acts`, in order, what a terminal would do with a text besides showing it, ending lines, tabs, and colours. */
export class Screen {
  readonly acts: string[] = []
  shown = ''
  #mode: 'ground' | 'escape' | 'intermediate' | 'csi' | 'osc' | 'dcs' = 'ground'
  #collected = ''

  /** Takes the bytes in pieces of any size. */
  write(text: string | Uint8Array): void {
    for (const char of typeof text === 'string' ? text : Buffer.from(text).toString('utf8')) this.#take(char, char.codePointAt(0) ?? 0)
  }

  /** Whether the next character would be shown as it is. */
  get atRest(): boolean {
    return this.#mode === 'ground'
  }

  #take(char: string, code: number): void {
    if (code >= 0x80 && code < 0xa0) this.acts.push(`C1 ${code.toString(16)}`)
    if (code === 0x18 || code === 0x1a) return this.#go('ground')
    if (code === 0x1b) {
      if (this.#mode === 'osc' || this.#mode === 'dcs') this.#act(`${this.#mode} ${this.#collected}`)
      return this.#go('escape')
    }
    switch (this.#mode) {
      case 'osc':
      case 'dcs':
        if (code === 7) this.#act(`${this.#mode} ${this.#collected}`)
        else this.#collected += char
        return
      default:
        if (code < 0x20) return this.#execute(code)
        if (code === 0x7f) return
    }
    if (this.#mode === 'ground') this.shown += char
    else if (this.#mode === 'csi') this.#csi(char)
    else if (this.#mode === 'escape' && char === '[') this.#go('csi')
    else if (this.#mode === 'escape' && char === ']') this.#go('osc')
    else if (this.#mode === 'escape' && 'PX^_'.includes(char)) this.#go('dcs')
    else if (code < 0x30) this.#mode = 'intermediate'
    else this.#act(`escape ${char}`)
  }

  #csi(char: string): void {
    if (!FINAL.test(char)) this.#collected += char
    else if (char === 'm' && /^[\d;]*$/.test(this.#collected)) this.#go('ground')
    else this.#act(`csi ${this.#collected}${char}`)
  }

  #execute(code: number): void {
    if (code === 10 || code === 13 || code === 9) this.shown += String.fromCharCode(code)
    else this.acts.push(`C0 ${code.toString(16)}`)
  }

  #act(what: string): void {
    this.acts.push(what)
    this.#go('ground')
  }

  #go(mode: 'ground' | 'escape' | 'csi' | 'osc' | 'dcs'): void {
    this.#mode = mode
    this.#collected = ''
  }
}
