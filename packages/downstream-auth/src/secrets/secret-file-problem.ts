/** A file of a Secret that is refused. `path` is relative to the configuration directory. */
export type SecretFileProblem =
  | { readonly code: 'secret.name'; readonly part: 'name' | 'key'; readonly value: string }
  | { readonly code: 'secret.absent'; readonly path: string }
  | { readonly code: 'secret.outside'; readonly path: string }
  | { readonly code: 'secret.kind'; readonly path: string }
  | { readonly code: 'secret.mode'; readonly path: string; readonly mode: number }
  | { readonly code: 'secret.size'; readonly path: string; readonly maxBytes: number }
  | { readonly code: 'secret.empty'; readonly path: string }
  | { readonly code: 'secret.text'; readonly path: string }
  | { readonly code: 'secret.unreadable'; readonly path: string; readonly error: string };

const MODE_DIGITS = 4;

/** Returns the sentence of a problem, which never repeats content of the file. */
export const secretFileProblemText = (problem: SecretFileProblem): string => {
  switch (problem.code) {
    case 'secret.name':
      return `the ${problem.part} ${JSON.stringify(problem.value)} of a Secret is not valid: use letters, digits, "-", "_" and "."`;
    case 'secret.absent':
      return `the file ${problem.path} does not exist: create it with mode 0600`;
    case 'secret.outside':
      return `the file ${problem.path} is a link that leaves the directory of its Secret: replace it with a regular file`;
    case 'secret.kind':
      return `${problem.path} is not a regular file`;
    case 'secret.mode':
      return `the file ${problem.path} has mode ${problem.mode.toString(8).padStart(MODE_DIGITS, '0')}: set it to 0600`;
    case 'secret.size':
      return `the file ${problem.path} has more than ${problem.maxBytes} bytes`;
    case 'secret.empty':
      return `the file ${problem.path} is empty`;
    case 'secret.text':
      return `the file ${problem.path} is not one line of text in UTF-8`;
    case 'secret.unreadable':
      return `the file ${problem.path} cannot be read (${problem.error})`;
  }
};
