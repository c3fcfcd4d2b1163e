import type { DefinedKind } from '@gateway/crd-schemas';
import type { ApiFailure } from '@gateway/kube-client';
import type { ResourceKind } from '../port/resources.ts';

/** Verbs of the Kubernetes API on one resource in one place. */
export interface Access {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural name, with a subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The name of the only object; any when absent. */
  readonly name?: string;
  /** All namespaces when absent. */
  readonly namespace?: string;
}

/** Why no replica leads: the Lease does not exist, no process holds it, or its holder has stopped renewing it. */
export type LeaderAbsence =
  | { readonly cause: 'absent' }
  | { readonly cause: 'released' }
  | { readonly cause: 'expired'; readonly holder: string; readonly seconds: number };

/** A problem of a server that is defined. */
export type ServerTrouble =
  /** It is not connected, with its state and the reason. */
  | { readonly cause: 'failed'; readonly state: string; readonly reason: string }
  /** It answered 401 and the definition names no way to sign in. */
  | { readonly cause: 'refused-sign-in' }
  /** Persons sign in to it, and it is not known whether one has. */
  | { readonly cause: 'personal-sign-in' }
  /** It starts automatically, and no gateway has reported its state. */
  | { readonly cause: 'unreported' }
  /** Other servers hold names of its tools. */
  | { readonly cause: 'names-taken'; readonly message: string };

/** A server that does not work, or not for everybody. */
export interface ServerFinding {
  readonly code: 'server';
  /** Its name, with the namespace before a slash in a cluster. */
  readonly server: string;
  readonly trouble: ServerTrouble;
}

/** A problem of a cluster, or a check that was not possible. */
export type ClusterFinding =
  /** No kubeconfig can be used. */
  | { readonly code: 'no-cluster'; readonly problem: string }
  | { readonly code: 'api-unreachable'; readonly failure: ApiFailure }
  | {
      readonly code: 'definition-missing';
      readonly kind: DefinedKind;
      readonly apiGroup: string;
      readonly version: string;
      /** The versions that the API serves instead. */
      readonly served: readonly string[];
    }
  | {
      readonly code: 'definition-older';
      readonly kind: DefinedKind;
      readonly apiGroup: string;
      readonly version: string;
      /** The paths of the missing fields. */
      readonly missing: readonly string[];
    }
  | {
      readonly code: 'definition-unchecked';
      readonly kind: DefinedKind;
      readonly failure: ApiFailure;
    }
  | { readonly code: 'access-missing'; readonly access: Access; readonly account: string }
  | { readonly code: 'access-unchecked'; readonly failure: ApiFailure }
  | {
      readonly code: 'objects-unread';
      readonly kind: ResourceKind;
      readonly resource: string;
      readonly namespace?: string;
      readonly failure: ApiFailure;
    }
  | { readonly code: 'namespace-missing'; readonly namespace: string }
  /** The account has no permission in a namespace, and may not read whether it exists. */
  | { readonly code: 'namespace-unknown'; readonly namespace: string }
  /** Definitions in namespaces that the configuration does not name. */
  | {
      readonly code: 'objects-outside';
      readonly kind: ResourceKind;
      readonly count: number;
      /** Their namespaces. */
      readonly places: readonly string[];
      /** Those of the configuration. */
      readonly namespaces: readonly string[];
    }
  | {
      readonly code: 'object-refused';
      readonly kind: ResourceKind;
      /** `namespace/name`. */
      readonly source: string;
      readonly reason: 'invalid' | 'stdio' | 'name-taken';
      readonly message: string;
    }
  | {
      readonly code: 'no-leader';
      /** `namespace/name`. */
      readonly lease: string;
      readonly absence: LeaderAbsence;
    }
  | { readonly code: 'leader'; readonly lease: string; readonly holder: string }
  /** A gateway that leads with a Lease of another place or name. */
  | { readonly code: 'other-leader'; readonly lease: string; readonly holder: string }
  /** A Secret that a server names does not have the values, although the account may read it. */
  | { readonly code: 'secret-unusable'; readonly server: string; readonly reason: string }
  | ServerFinding;
