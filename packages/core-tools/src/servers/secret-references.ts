import { placeholderFieldIn, secretReferenceIn } from '@gateway/crd-schemas';
import type { CoreToolPorts } from '../tool/ports.ts';

const REMEDY = 'coreTools.secretReferences: true permits it';

/** Returns why a definition or a patch is refused: who may write it would otherwise receive every value that the gateway may read. */
export const newReferenceProblem = (
  spec: unknown,
  { permitsSecretReferences }: Pick<CoreToolPorts, 'permitsSecretReferences'>,
): string | undefined => {
  if (permitsSecretReferences()) return undefined;
  const placeholder = placeholderFieldIn(spec);
  if (placeholder !== undefined)
    return `spec.${placeholder}: core tools write no placeholders of variables and files; ${REMEDY}`;
  const field = secretReferenceIn(spec);
  return field === undefined
    ? undefined
    : `spec.${field}: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`;
};

/** Returns why a change of a field is refused. Another address or command would receive the values of the server. */
export const restrictedProblem = (field: string): string =>
  `spec.${field}: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; ${REMEDY}`;
