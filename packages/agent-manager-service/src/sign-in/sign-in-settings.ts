import { readFile, stat } from 'node:fs/promises';
import { authSchema, type AuthSettings } from '@gateway/caller-auth';
import { parse } from 'yaml';

/** The accepted tokens: those of one issuer, or as a file describes them. */
export type AcceptedTokens =
  | { readonly kind: 'issuer'; readonly issuer: string; readonly audiences: readonly string[] }
  | { readonly kind: 'file'; readonly path: string };

/** The settings, or one line why there are none. */
export type ReadSettings =
  | { readonly ok: true; readonly settings: AuthSettings }
  | { readonly ok: false; readonly problem: string };

const MAX_FILE_BYTES = 256 * 1024;
/** Every valid token may call every operation: the cluster or the operator limits what an operation may do. */
const NO_SCOPES: readonly string[] = [];

const failed = (problem: string): ReadSettings => ({ ok: false, problem });

const validate = (value: unknown, source: string): ReadSettings => {
  const parsed = authSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') ?? '';
    return failed(`${source}: ${path === '' ? '' : `${path} `}${issue?.message ?? 'is not valid'}`);
  }
  return parsed.data.mode === 'resource-server'
    ? { ok: true, settings: parsed.data }
    : failed(`${source}: mode must be resource-server`);
};

/** `null` and other values reach the schema, which refuses them. */
const withMode = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { mode: 'resource-server', ...value } : value;

const readDocument = async (path: string): Promise<ReadSettings> => {
  const source = `--oauth-config ${path}`;
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) return failed(`${source}: it has more than ${MAX_FILE_BYTES} bytes`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return failed(`${source}: it cannot be read (${code})`);
  }
  try {
    return validate(withMode(parse(text)), source);
  } catch {
    return failed(`${source}: it is not valid YAML`);
  }
};

/** Returns the settings of the sign-in of callers. */
export const readSignInSettings = (tokens: AcceptedTokens): Promise<ReadSettings> => {
  switch (tokens.kind) {
    case 'file':
      return readDocument(tokens.path);
    case 'issuer': {
      const { issuer, audiences } = tokens;
      const issuers = [{ issuer, audiences, scopes: NO_SCOPES }];
      return Promise.resolve(
        validate({ mode: 'resource-server', issuers }, `--oauth-issuer ${issuer}`),
      );
    }
  }
};
