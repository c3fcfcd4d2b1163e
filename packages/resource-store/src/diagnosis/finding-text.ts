import { apiFailureText } from '@gateway/kube-client';
import type { Access, ClusterFinding, LeaderAbsence, ServerTrouble } from './cluster-finding.ts';
import { connectionRemedy } from './connection-remedy.ts';

/** A finding for people: what it is, and the next step. Each is one or more sentences. */
export interface FindingText {
  /** `note` for a fact that may be intended, or that could not be checked. */
  readonly severity: 'problem' | 'note';
  readonly message: string;
  /** Absent when there is nothing to do. */
  readonly remedy?: string;
}

type Finding<Code extends ClusterFinding['code']> = Extract<
  ClusterFinding,
  { readonly code: Code }
>;

const MAX_FIELDS = 10;

const problem = (message: string, remedy: string): FindingText => ({
  ...{ severity: 'problem', message, remedy },
});

const note = (message: string, remedy: string): FindingText => ({
  ...{ severity: 'note', message, remedy },
});

const listed = (items: readonly string[]): string =>
  items.length > MAX_FIELDS
    ? `${items.slice(0, MAX_FIELDS).join(', ')} and ${String(items.length - MAX_FIELDS)} more`
    : items.join(', ');

const definitionNotServed = ({
  kind,
  apiGroup,
  version,
  served,
}: Finding<'definition-missing'>): FindingText => {
  const other =
    served.length === 0 ? '' : `; the versions of ${apiGroup} that it serves: ${listed(served)}`;
  return problem(
    `The Kubernetes API does not serve ${kind} of ${apiGroup}/${version}${other}.`,
    `Install the CustomResourceDefinition: ${installCommand(kind, apiGroup)}`,
  );
};

const installCommand = (kind: string, apiGroup: string): string =>
  `gateway crds ${kind.toLowerCase()} --api-group ${apiGroup} | kubectl apply --server-side -f -`;

const definitionOlder = ({
  kind,
  apiGroup,
  version,
  missing,
}: Finding<'definition-older'>): FindingText =>
  problem(
    `The CustomResourceDefinition of ${kind} of ${apiGroup}/${version} is older than this program: it does not have ${listed(missing)}.`,
    `Replace it: ${installCommand(kind, apiGroup)}`,
  );

const placeOf = (namespace: string | undefined): string =>
  namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;

const ruleOf = ({ group, resource, verbs, name }: Access): string => {
  const names = name === undefined ? '' : `, resourceNames: [${name}]`;
  return `{apiGroups: ["${group}"], resources: [${resource}]${names}, verbs: [${verbs.join(', ')}]}`;
};

const accessMissing = ({ access, account }: Finding<'access-missing'>): FindingText => {
  const { group, resource, verbs, name, namespace } = access;
  const subject = `${resource}${group === '' ? '' : ` of ${group}`}`;
  const named = name === undefined ? '' : ` with the name ${name}`;
  const role = namespace === undefined ? 'a ClusterRole' : `a Role in namespace ${namespace}`;
  return problem(
    `${account} may not ${verbs.join(', ')} ${subject}${named} in ${placeOf(namespace)}.`,
    `Add this rule to ${role} that is bound to it: ${ruleOf(access)}`,
  );
};

const REFUSAL_REMEDIES = {
  invalid: 'Correct the object; gateway events shows when it is used.',
  stdio:
    'Run the server in a pod of its own and define it with its url, or set kubernetes.allowStdio: true.',
  'name-taken': 'Rename or delete one of both objects.',
} as const;

const objectRefused = ({ kind, source, reason, message }: Finding<'object-refused'>): FindingText =>
  problem(`${kind} ${source} is not used: ${message}.`, REFUSAL_REMEDIES[reason]);

const absenceText = (absence: LeaderAbsence): string => {
  switch (absence.cause) {
    case 'absent':
      return 'it does not exist';
    case 'released':
      return 'nobody holds it';
    case 'expired':
      return `${absence.holder} has not renewed it for ${String(absence.seconds)} s`;
  }
};

const noLeader = ({ lease, absence }: Finding<'no-leader'>): FindingText =>
  problem(
    `No replica leads with the Lease ${lease}: ${absenceText(absence)}. No statuses are written, and those that exist may be old.`,
    'Start a gateway, and check its log for "this replica cannot lead"; kubernetes.lease and kubernetes.namespace must be those of the running gateway.',
  );

const serverText = (server: string, trouble: ServerTrouble): FindingText => {
  const subject = `MCPServer ${server}`;
  const name = server.slice(server.lastIndexOf('/') + 1);
  switch (trouble.cause) {
    case 'failed':
      return problem(
        `${subject} is ${trouble.state}: ${trouble.reason}.`,
        `Correct its definition or the server, then: gateway servers restart ${name}`,
      );
    case 'refused-sign-in':
      return problem(
        `${subject} answers 401, and its definition has no sign-in.`,
        'Add a token to spec.headers, or let persons sign in with spec.auth.type: oauth.',
      );
    case 'personal-sign-in':
      return note(
        `${subject} requires that each person signs in to it.`,
        `A person without its tools signs in with core_auth_login, argument server: ${name}`,
      );
    case 'unreported':
      return problem(
        `${subject} starts automatically, but no gateway has reported its state.`,
        'Check that a gateway runs, that it uses this namespace and that it leads.',
      );
    case 'names-taken':
      return problem(
        `${subject} does not serve all of its tools: ${trouble.message}.`,
        'Set another spec.toolPrefix.',
      );
  }
};

const unread = ({ resource, namespace, failure }: Finding<'objects-unread'>): FindingText =>
  problem(
    `The ${resource} of ${placeOf(namespace)} could not be read: ${apiFailureText(failure)}.`,
    'Repeat the command when the Kubernetes API answers.',
  );

const outside = ({ kind, count, places, namespaces }: Finding<'objects-outside'>): FindingText =>
  note(
    `${String(count)} ${kind} objects in ${listed(places)} are not used: kubernetes.namespaces names ${listed(namespaces)}.`,
    'Add their namespaces to kubernetes.namespaces to use them.',
  );

/** Without two full stops when a reason is a sentence. */
const tidy = (text: FindingText): FindingText => ({
  ...text,
  message: text.message.replace(/([.!?])\.$/u, '$1'),
});

const apiUnreachable = ({ failure }: Finding<'api-unreachable'>): FindingText =>
  problem(
    `The Kubernetes API cannot be used: ${apiFailureText(failure)}.`,
    connectionRemedy(failure),
  );

const TEXTS: {
  readonly [Code in ClusterFinding['code']]: (finding: Finding<Code>) => FindingText;
} = {
  'no-cluster': (finding) =>
    problem(
      `No cluster can be used: ${finding.problem}.`,
      'Set kubernetes.kubeconfig in config.yaml or KUBECONFIG, or run the command in the pod of the gateway.',
    ),
  'api-unreachable': apiUnreachable,
  'definition-missing': definitionNotServed,
  'definition-older': definitionOlder,
  'definition-unchecked': ({ kind, failure }) =>
    note(
      `The CustomResourceDefinition of ${kind} could not be compared: ${apiFailureText(failure)}.`,
      'Repeat the command after some seconds; the account needs the ClusterRole system:discovery.',
    ),
  'access-missing': accessMissing,
  'access-unchecked': ({ failure }) =>
    note(
      `The permissions could not be checked: ${apiFailureText(failure)}.`,
      'Bind the ClusterRole system:basic-user to the account.',
    ),
  'objects-unread': unread,
  'namespace-missing': ({ namespace }) =>
    problem(
      `The namespace ${namespace} does not exist.`,
      `Correct kubernetes.namespaces and kubernetes.namespace, or create it: kubectl create namespace ${namespace}`,
    ),
  'namespace-unknown': ({ namespace }) =>
    note(
      `This account may not read namespaces, so that a missing namespace ${namespace} looks like missing permissions.`,
      `Before you add a Role, check that it exists: kubectl get namespace ${namespace}`,
    ),
  'objects-outside': outside,
  'object-refused': objectRefused,
  'no-leader': noLeader,
  leader: ({ lease, holder }) => ({
    ...{ severity: 'note', message: `${holder} leads with the Lease ${lease}.` },
  }),
  'other-leader': ({ lease, holder }) =>
    note(
      `${holder} leads with another Lease, ${lease}. Two gateways that use the same namespaces both write statuses and events.`,
      'Set the same kubernetes.lease and kubernetes.namespace in both, or separate kubernetes.namespaces.',
    ),
  'secret-unusable': ({ server, reason }) =>
    problem(
      `MCPServer ${server} cannot use its client credentials: ${reason}.`,
      'Create or correct the Secret, or correct clientCredentialsSecretRef of the server.',
    ),
  server: ({ server, trouble }) => serverText(server, trouble),
};

const textOf = <Code extends ClusterFinding['code']>(finding: Finding<Code>): FindingText => {
  const text = TEXTS[finding.code];
  return text(finding);
};

/** Returns a finding for people. Names and messages of others are in it as they are. */
export const findingText = (finding: ClusterFinding): FindingText => tidy(textOf(finding));
