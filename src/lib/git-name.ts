/** Git's own folder of a repository, and names that a file system may take for it: its content decides what the repository's owner runs next. */

/** `a/.git` of `a/.git/config`, and of itself: the outermost one. `undefined`: the path is in none. Only by that exact name, and with slashes. */
export function gitFolderOf(path: string): string | undefined {
  // `s`: a name may contain line breaks.
  return /^(?:|.*?\/)\.git(?=\/|$)/s.exec(path)?.[0]
}

/**
 * Whether the path is a repository's own folder (or the file in its place), or is inside one. With slashes, or with backslashes of another
 * system.
 */
export function isBelowGit(path: string): boolean {
  // Fast path: hardly any of a hundred thousand paths has a dot or a tilde where it matters.
  return /git/i.test(path) || !isAscii(path) ? path.split(/[/\\]/).some(isGitName) : false
}

/** As seen by file systems that ignore case, drop invisible characters, cut dots, blanks and streams at the end, or give short names. */
function isGitName(name: string): boolean {
  const seen = name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
  return seen === '.git' || seen === 'git~1'
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
