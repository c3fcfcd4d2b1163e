import { type Revision, REVISIONS, type Scenario, selectionOf } from './scenario.ts';
import type { Fixture } from '../gateway.ts';

/** A subject of the tests: the gateway in front of a server, that server alone, the gateway's connections to servers, or its authorization server. */
export type Subject = { readonly name: string; readonly title: string } & (
  | {
      readonly kind: 'gateway';
      readonly revision: Revision;
      readonly fixture: Fixture;
      /** Scenarios that no gateway can pass before this server, each with the reason. */
      readonly except?: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'fixture'; readonly revision: Revision; readonly fixture: '2025' | '2026' }
  | { readonly kind: 'client' }
  | { readonly kind: 'authorization' }
);

const [EARLIER, LATER] = REVISIONS;

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'fixture-2025',
    title: `${EARLIER}, the test server of 2025 itself`,
    kind: 'fixture',
    revision: EARLIER,
    fixture: '2025',
  },
  {
    name: 'fixture-2026',
    title: `${LATER}, the test server of 2026 itself`,
    kind: 'fixture',
    revision: LATER,
    fixture: '2026',
  },
  {
    name: '2025',
    title: `${EARLIER}, the gateway before a server of 2025 over HTTP`,
    kind: 'gateway',
    revision: EARLIER,
    fixture: '2025',
  },
  {
    name: '2026',
    title: `${LATER}, the gateway before a server of 2026 over HTTP`,
    kind: 'gateway',
    revision: LATER,
    fixture: '2026',
  },
  {
    name: '2025-stdio',
    title: `${EARLIER}, the gateway before a server over stdio`,
    kind: 'gateway',
    revision: EARLIER,
    fixture: 'stdio',
  },
  {
    name: '2026-stdio',
    title: `${LATER}, the gateway before a server over stdio`,
    kind: 'gateway',
    revision: LATER,
    fixture: 'stdio',
  },
  {
    name: '2025-to-2026',
    title: `${EARLIER}, the gateway before a server of 2026 over HTTP`,
    kind: 'gateway',
    revision: EARLIER,
    fixture: '2026',
  },
  {
    name: '2026-to-2025',
    title: `${LATER}, the gateway before a server of 2025 over HTTP`,
    kind: 'gateway',
    revision: LATER,
    fixture: '2025',
    except: new Map([
      [
        'server-stateless',
        'A server of 2025 has no error that names the missing client capability.',
      ],
      [
        'input-required-result-basic-elicitation',
        'The questions of a server of 2025 have no keys; the gateway gives them keys of its own.',
      ],
      [
        'input-required-result-ignore-extra-params',
        'A server of 2025 takes no answers to questions that it has not sent yet.',
      ],
    ]),
  },
  {
    name: 'client',
    title: 'both revisions, the gateway as the client of servers',
    kind: 'client',
  },
  {
    name: 'authorization',
    title: 'both revisions, the gateway as the authorization server of its clients',
    kind: 'authorization',
  },
];

/** The scenarios that apply to a subject. */
export function scenariosOf(subject: Subject): readonly Scenario[] {
  const revisions = 'revision' in subject ? [subject.revision] : REVISIONS;
  const wanted = 'revision' in subject ? 'server' : subject.kind;
  const except = subject.kind === 'gateway' ? subject.except : undefined;
  return revisions.flatMap((revision) =>
    selectionOf(revision).run.filter(
      ({ side, name }) => side === wanted && except?.has(name) !== true,
    ),
  );
}
