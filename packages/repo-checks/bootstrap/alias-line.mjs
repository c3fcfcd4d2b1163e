/** The characters that the shell expands within double quotes, and quotes. */
const SPECIAL = /["'$`!\\]/u;

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Returns the line that makes `gateway` a command of a POSIX shell. The shell reads the value of an alias twice: in the line, and when
 * the command is used.
 * @param {string} node the Node that runs it: that of the user can be too old
 * @param {string} program the path of the built command line
 */
export const aliasLine = (node, program) => {
  const command = `${quoted(node)} ${quoted(program)}`;
  return `alias gateway=${SPECIAL.test(node + program) ? quoted(command) : `"${command}"`}`;
};
