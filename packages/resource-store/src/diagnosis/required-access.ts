import type { Access } from './cluster-finding.ts';

/** The parts of a configuration that decide which permissions a gateway needs. */
export interface AccessNeeds {
  readonly apiGroup: string;
  /** Which core tools write definitions. */
  readonly writes: 'all' | 'workflows' | 'none';
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  /** The namespace of the Lease. */
  readonly namespace: string;
  readonly lease: string;
  /** True if records of runs are objects. */
  readonly storesRuns: boolean;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'patch', 'delete'];

/** Events are written by server-side apply, which creates or changes. */
const EVENTS = { group: 'events.k8s.io', resource: 'events', verbs: ['list', 'create', 'patch'] };

const writtenResources = (writes: AccessNeeds['writes']): readonly string[] => {
  switch (writes) {
    case 'all':
      return ['mcpservers', 'workflows'];
    case 'workflows':
      return ['workflows'];
    case 'none':
      return [];
  }
};

const ofDefinitions = ({ apiGroup: group, writes }: AccessNeeds): readonly Access[] => [
  { group, resource: 'mcpservers', verbs: READ },
  { group, resource: 'workflows', verbs: READ },
  ...writtenResources(writes).map((resource) => ({ group, resource, verbs: WRITE })),
  { group, resource: 'mcpservers/status', verbs: ['patch'] },
  { group, resource: 'workflows/status', verbs: ['patch'] },
  EVENTS,
];

const ofLease = ({ namespace, lease }: AccessNeeds): readonly Access[] => {
  const leases = { group: 'coordination.k8s.io', resource: 'leases', namespace };
  // A Lease cannot be named before it exists.
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update', 'watch'], name: lease },
  ];
};

/** Records of runs are in the namespace of the gateway. */
const ofRuns = ({ apiGroup: group, namespace, storesRuns }: AccessNeeds): readonly Access[] =>
  storesRuns
    ? [{ group, resource: 'workflowexecutions', verbs: [...READ, ...WRITE], namespace }]
    : [];

/** Events of the configuration are in the namespace of the gateway. */
const ofOwnEvents = ({ namespaces, namespace }: AccessNeeds): readonly Access[] =>
  namespaces.length === 0 || namespaces.includes(namespace) ? [] : [{ ...EVENTS, namespace }];

/** Returns the permissions that a gateway needs. They are those that its chart grants. */
export const requiredAccess = (needs: AccessNeeds): readonly Access[] => {
  const definitions = ofDefinitions(needs);
  const placed =
    needs.namespaces.length === 0
      ? definitions
      : needs.namespaces.flatMap((namespace) =>
          definitions.map((access) => ({ ...access, namespace })),
        );
  return [...placed, ...ofOwnEvents(needs), ...ofRuns(needs), ...ofLease(needs)];
};
