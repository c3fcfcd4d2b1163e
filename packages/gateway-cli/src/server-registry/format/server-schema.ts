import * as z from 'zod/mini';
import {
  argumentsSchema,
  namedValuesSchema,
  nameUpTo,
  textUpTo,
  variablesSchema,
} from './input-schema.ts';
import { MAX_NAME_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS, MAX_WAYS } from './limits.ts';

const name = nameUpTo(MAX_NAME_CHARS);

const SERVER_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u;
const MAX_SERVER_NAME_CHARS = 200;
const MAX_VERSION_CHARS = 255;
const SHA256 = /^[a-f0-9]{64}$/u;

const packageSchema = z.object({
  registryType: name,
  identifier: name,
  version: z.exactOptional(name),
  registryBaseUrl: z.exactOptional(textUpTo(MAX_URL_CHARS)),
  fileSha256: z.exactOptional(
    z.string().check(z.regex(SHA256, 'must be 64 hexadecimal digits in lower case')),
  ),
  runtimeHint: z.exactOptional(textUpTo(MAX_NAME_CHARS)),
  runtimeArguments: argumentsSchema,
  packageArguments: argumentsSchema,
  environmentVariables: namedValuesSchema,
  transport: z.object({ type: z.enum(['stdio', 'streamable-http', 'sse']) }),
});

const remoteSchema = z.object({
  type: z.enum(['streamable-http', 'sse']),
  url: nameUpTo(MAX_URL_CHARS),
  headers: namedValuesSchema,
  variables: variablesSchema,
});

/** The schema of `server.json`. Unknown members are left out. */
export const serverSchema = z.object({
  name: textUpTo(MAX_SERVER_NAME_CHARS).check(
    z.regex(SERVER_NAME, 'must be a namespace and a name with one "/" between them'),
  ),
  title: z.exactOptional(textUpTo(MAX_NAME_CHARS)),
  description: z._default(textUpTo(MAX_TEXT_CHARS), ''),
  version: nameUpTo(MAX_VERSION_CHARS),
  packages: z._default(z.array(packageSchema).check(z.maxLength(MAX_WAYS)), []),
  remotes: z._default(z.array(remoteSchema).check(z.maxLength(MAX_WAYS)), []),
});

/** A package of a server. */
export type RegistryPackage = z.output<typeof packageSchema>;

/** An address of a server. */
export type RegistryRemote = z.output<typeof remoteSchema>;

/** A server as `server.json` describes it. */
export type ServerDocument = z.output<typeof serverSchema>;
