/** Whether a text fits a pattern in which `*` stands for any characters, as in the roles and policies of vendors. */
export const like = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  ).test(text)
