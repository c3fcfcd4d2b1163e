import type { McpServer, ResourceKind } from '@gateway/crd-schemas';
import type { VersionedObject } from '@gateway/kube-client';
import { composeObjects, NO_RESOURCES } from './definition-state.ts';
import { interpretObject, sourceOf, STDIO_REFUSAL, type ObjectRules } from './interpret-object.ts';

/** An object that a store with the same rules does not use. */
export interface RefusedObject {
  readonly kind: ResourceKind;
  /** `namespace/name`. */
  readonly source: string;
  readonly reason: 'invalid' | 'stdio' | 'name-taken';
  readonly message: string;
}

/** A valid server of a cluster. */
export interface InspectedServer {
  /** `namespace/name`. */
  readonly source: string;
  readonly server: McpServer;
  /** As gateways have written it. */
  readonly status: unknown;
}

/** The objects of a cluster as a store sees them. */
export interface InspectedObjects {
  readonly servers: readonly InspectedServer[];
  readonly refused: readonly RefusedObject[];
}

/** Interprets the definitions of a cluster as a store with these rules does. Pure. */
export const inspectObjects = (
  objects: readonly { readonly kind: ResourceKind; readonly versioned: VersionedObject }[],
  rules: ObjectRules,
): InspectedObjects => {
  const now = Date.now();
  const read = objects
    .filter(({ versioned }) => versioned.object.metadata.deletionTimestamp === undefined)
    .map(({ kind, versioned }) => ({
      status: versioned.object.status,
      interpreted: interpretObject(kind, versioned, { ...rules, now }),
    }));
  const { state, nameTaken } = composeObjects(
    read.map(({ interpreted }) => interpreted),
    [],
    NO_RESOURCES,
  );
  const taken = new Set([...nameTaken.keys()].map(({ kind, key }) => `${kind}/${sourceOf(key)}`));
  const refused = state.problems.flatMap(({ kind, source, message }): RefusedObject[] => {
    if (kind === 'Configuration') return [];
    const reason = taken.has(`${kind}/${source}`) ? 'name-taken' : 'invalid';
    return [{ kind, source, message, reason: message === STDIO_REFUSAL ? 'stdio' : reason }];
  });
  return {
    refused,
    servers: read.flatMap(({ status, interpreted: { key, outcome } }) =>
      outcome.kind === 'server' ? [{ source: sourceOf(key), server: outcome.server, status }] : [],
    ),
  };
};
