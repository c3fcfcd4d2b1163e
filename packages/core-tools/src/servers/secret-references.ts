import type { JsonObject } from '@gateway/call-contract';
import type { CoreToolPorts } from '../tool/ports.ts';

/** Fields that do not decide where the values of a server are sent. */
const HARMLESS: ReadonlySet<string> = new Set([
  'autoStart',
  'description',
  'family',
  'startTimeout',
  'timeout',
  'toolPrefix',
]);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Returns the field of a `spec`, or of a patch of one, that names a Secret or ConfigMap. */
const referenceIn = (spec: unknown): string | undefined => {
  const auth = memberOf(spec, 'auth');
  const fields: readonly (readonly [string, unknown])[] = [
    ['envFrom', memberOf(spec, 'envFrom')],
    ['headersFrom', memberOf(spec, 'headersFrom')],
    ...['tokenExchange', 'authorizationServer'].map(
      (part) =>
        [
          `auth.${part}.clientCredentialsSecretRef`,
          memberOf(memberOf(auth, part), 'clientCredentialsSecretRef'),
        ] as const,
    ),
  ];
  return fields.find(([, value]) => value !== undefined && value !== null)?.[0];
};

const REMEDY = 'coreTools.secretReferences: true permits it';

/** Returns why a new definition is refused: who may write it would otherwise receive every value that the gateway may read. */
export const newReferenceProblem = (
  spec: unknown,
  { permitsSecretReferences }: Pick<CoreToolPorts, 'permitsSecretReferences'>,
): string | undefined => {
  const field = permitsSecretReferences() ? undefined : referenceIn(spec);
  return field === undefined
    ? undefined
    : `spec.${field}: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`;
};

/** Returns a field of a patch that may decide where values are sent. An empty map changes nothing. */
const changedField = (patch: JsonObject): string | undefined =>
  Object.entries(patch).find(
    ([key, value]) => !HARMLESS.has(key) && !(isObject(value) && Object.keys(value).length === 0),
  )?.[0];

/** Returns why a patch of a definition is refused that is not in force, because it is invalid or its values were not read yet. */
export const unknownReferenceProblem = async (
  name: string,
  patch: JsonObject,
  ports: Pick<CoreToolPorts, 'permitsSecretReferences' | 'refusedServers'>,
): Promise<string | undefined> => {
  const field = ports.permitsSecretReferences() ? undefined : changedField(patch);
  if (field === undefined) return undefined;
  const refused = await ports.refusedServers();
  return refused.some((server) => server.name === name)
    ? `spec.${field}: the definition is not valid, so that it is not known whether it names Secrets or ConfigMaps; correct it in its file or object, or set coreTools.secretReferences: true`
    : undefined;
};

/** Returns why a patch of a definition is refused. Another address or command would receive the values of the server. */
export const changedReferenceProblem = (
  current: unknown,
  patch: JsonObject,
  ports: Pick<CoreToolPorts, 'permitsSecretReferences'>,
): string | undefined => {
  const added = newReferenceProblem(patch, ports);
  if (added !== undefined || ports.permitsSecretReferences()) return added;
  const field = changedField(patch);
  if (field === undefined || referenceIn(current) === undefined) return undefined;
  return `spec.${field}: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; ${REMEDY}`;
};
