import { isJsonObject } from '@gateway/call-contract';
import { formatJsonProblem, parseJson } from '@gateway/mcp-wire';

/** The credentials of the gateway at a token endpoint. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Returns the text as `application/x-www-form-urlencoded`. RFC 6749 appendix B */
const encodeForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/**
 * Returns the value of the header `Authorization`. Both parts are encoded before they are joined, and no more than the form requires: servers
 * in use compare the parts without decoding them, so `-`, `.` and `_` stay. RFC 6749 §2.3.1
 */
export const formatBasicAuthorization = ({ clientId, clientSecret }: ClientCredentials): string =>
  `Basic ${Buffer.from(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`).toString('base64')}`;

/** Returns the client authentication `client_secret_basic`, in the form of `oauth4webapi` and `openid-client`. */
export const createBasicAuthentication =
  (clientSecret: string) =>
  (
    _server: unknown,
    { client_id: clientId }: { readonly client_id: string },
    _body: unknown,
    headers: Headers,
  ): void => {
    headers.set('authorization', formatBasicAuthorization({ clientId, clientSecret }));
  };

/** The members of a JSON object from a peer. */
type Members = Readonly<Record<string, unknown>>;

/** An OAuth answer that cannot be used. `message` is one line without values of the peer that may be secrets. */
export class OAuthAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OAuthAnswerError';
  }
}

const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}/;

const describeText = (text: string, contentType: string): string => {
  if (text.trim() === '') return 'the answer is empty';
  if (/^\s*<(?:!doctype|html)/i.test(text) || contentType.startsWith('text/html'))
    return 'the answer is an HTML page, not JSON';
  const type = MEDIA_TYPE.exec(contentType)?.[0];
  return `the answer is not JSON${type === undefined ? '' : ` (its content type is ${type})`}`;
};

/** Parses the members of a JSON object, whatever content type it has. Members that are `null` count as absent. */
const parseMembers = (text: string, contentType: string): Members => {
  const outcome = parseJson(text);
  if (!outcome.ok)
    throw new OAuthAnswerError(
      outcome.problem.code === 'json.unexpected'
        ? describeText(text, contentType)
        : `the answer cannot be used: ${formatJsonProblem(outcome.problem)}`,
    );
  const { value } = outcome;
  if (!isJsonObject(value)) throw new OAuthAnswerError('the answer is JSON, but not an object');
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
};

/**
 * Reads a JSON document with a status of 200 to 299. Members that are `null` count as absent, like the empty members in RFC 8414 §3.2.
 * Rejects with {@link OAuthAnswerError}.
 */
export const readOAuthDocument = async (response: Response): Promise<Members> => {
  if (!response.ok) throw new OAuthAnswerError(`HTTP ${response.status}`);
  return parseMembers(await response.text(), response.headers.get('content-type') ?? '');
};

const HEADERS = { 'content-type': 'application/json' };

const NUMBER = /^\d{1,15}(?:\.\d+)?$/;

const readSeconds = (members: Members, name: string): { readonly [name: string]: number } => {
  const value = members[name];
  if (value === undefined || value === '') return {};
  const seconds = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (typeof seconds === 'number' && seconds >= 0) return { [name]: seconds };
  throw new OAuthAnswerError(`"${name}" of the answer is not a number of seconds`);
};

/** Reads a string. An empty string counts as absent. */
const readText = (members: Members, name: string): { readonly [name: string]: string } => {
  const value = members[name];
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') return { [name]: value };
  throw new OAuthAnswerError(`"${name}" of the answer is not text`);
};

const readScope = ({ scope }: Members): { readonly [name: string]: string } => {
  const isList = Array.isArray(scope) && scope.every((item) => typeof item === 'string');
  return readText({ scope: isList ? scope.join(' ') : scope }, 'scope');
};

const requireText = (members: Members, name: string): void => {
  if (Object.keys(readText(members, name)).length === 0)
    throw new OAuthAnswerError(`the answer has no "${name}"`);
};

/** Reads the members that the gateway uses. */
const MEMBER_READERS: Readonly<Record<'token' | 'registration', (members: Members) => Members>> = {
  token: (members) => {
    requireText(members, 'access_token');
    return {
      token_type: 'Bearer',
      ...readText(members, 'access_token'),
      ...readText(members, 'token_type'),
      ...readText(members, 'refresh_token'),
      ...readText(members, 'id_token'),
      ...readSeconds(members, 'expires_in'),
      ...readScope(members),
    };
  },
  registration: (members) => {
    requireText(members, 'client_id');
    return {
      // A secret without an end does not expire: the member is required, but servers in use omit it. RFC 7591 §3.2.1
      client_secret_expires_at: 0,
      ...readText(members, 'client_id'),
      ...readText(members, 'client_secret'),
      ...readText(members, 'token_endpoint_auth_method'),
      ...readSeconds(members, 'client_secret_expires_at'),
    };
  },
};

/**
 * Returns a JSON document with the content type `application/json` and without members that are `null`. Refusals and JWTs are returned
 * unchanged. Rejects with {@link OAuthAnswerError}.
 */
export const conformOAuthDocument = async (response: Response): Promise<Response> => {
  const isJwt = response.headers.get('content-type')?.startsWith('application/jwt') === true;
  if (!response.ok || isJwt) return response;
  return new Response(JSON.stringify(await readOAuthDocument(response)), { headers: HEADERS });
};

/** The status that the RFCs require; servers in use answer both requests with 200 or 201. */
const STATUS = { token: 200, registration: 201 } as const;

/** Returns an error of RFC 6749 §5.2 as JSON, whatever its content type. Returns other refusals unchanged. */
const conformError = ({ status, headers }: Response, text: string): Response => {
  try {
    const members = parseMembers(text, '');
    if (status < 500 && typeof members['error'] === 'string')
      return new Response(JSON.stringify(members), { status, headers: HEADERS });
  } catch {
    // The status says what is wrong.
  }
  // A response with a status such as 304 must not have a body.
  return new Response(text === '' ? null : text, { status, headers });
};

/**
 * Reads the answer of a token or registration endpoint leniently and returns it in the form that the RFCs require: its status, content
 * type, members that are not `null`, `scope` as text, times as numbers, and `Bearer` where no token type is stated. An `error` inside
 * a successful answer becomes an answer with status 400. Rejects with {@link OAuthAnswerError}.
 *
 * @spec RFC 6749 §5, RFC 7591 §3.2
 */
export const conformOAuthAnswer = async (
  response: Response,
  kind: 'token' | 'registration',
): Promise<Response> => {
  const text = await response.text();
  if (!response.ok) return conformError(response, text);
  const members = parseMembers(text, response.headers.get('content-type') ?? '');
  const isError = typeof members['error'] === 'string' && members['access_token'] === undefined;
  const body = JSON.stringify(isError ? members : MEMBER_READERS[kind](members));
  return new Response(body, { status: isError ? 400 : STATUS[kind], headers: HEADERS });
};
