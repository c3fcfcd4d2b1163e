/** The clients whose configuration files are known. */
export const CLIENT_IDS = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'windsurf',
  'codex',
  'gemini',
  'zed',
  'jetbrains',
] as const;

/** A client with a known configuration file. */
export type ClientId = (typeof CLIENT_IDS)[number];

/** Returns whether a text names a client. */
export const isClientId = (text: string): text is ClientId =>
  CLIENT_IDS.some((client) => client === text);
