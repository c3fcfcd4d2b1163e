/** The permissions of each scope, in words for a person. */
const WORDS = new Map([
  ['mcp:read', 'list and call the tools that you may use, with your permissions'],
  [
    'mcp:admin',
    'change the gateway: create, change and remove servers and workflows, and see the runs of other people',
  ],
  ['openid', 'know your identifier at this gateway'],
  ['offline_access', 'stay signed in until you sign out'],
]);

/** Returns what scopes permit, one line each; unknown scopes permit nothing and have no line. */
export const scopeWords = (scopes: readonly string[]): readonly string[] =>
  scopes.map((scope) => WORDS.get(scope)).filter((words) => words !== undefined);
