const NAME = /\.\.?(?:\*|[^\s.[\]()?@^~*,:'"`\\]+)/y;
const DEEP_BRACKET = /\.\.(?=\[)/y;
const SELECTOR = String.raw`(?:\*|-?\d{1,15}|'[^'\]\\]*'|"[^"\]\\]*"|(?:-?\d{1,15})?:(?:-?\d{1,15})?(?::(?:[1-9]\d{0,14})?)?)`;
const BRACKET = new RegExp(String.raw`\[\s*${SELECTOR}(?:\s*,\s*${SELECTOR})*\s*\]`, 'y');
const CODE = /[?()@^~`]/;

const stepEnd = (text: string, at: number): number | undefined => {
  for (const step of [NAME, DEEP_BRACKET, BRACKET]) {
    step.lastIndex = at;
    const matched = step.exec(text)?.[0];
    if (matched !== undefined) return at + matched.length;
  }
  return undefined;
};

/** Why a text that starts with `$` is no JSONPath of names, indexes, slices, unions and wildcards; nothing when it is one. RFC 9535. */
export const jsonPathProblem = (text: string): string | undefined => {
  let at = 1;
  while (at < text.length) {
    const end = stepEnd(text, at);
    if (end === undefined) {
      const rest = text.slice(at);
      if (CODE.test(rest)) return 'filters and scripts are not allowed';
      return `unexpected "${rest.slice(0, 16)}" at character ${at + 1}`;
    }
    at = end;
  }
  return undefined;
};
