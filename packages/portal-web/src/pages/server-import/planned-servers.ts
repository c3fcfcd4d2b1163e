import {
  serverNoteText,
  serverProblemText,
  type ServerProblem,
} from '../../server-import/import-problem.ts';
import type { ImportedServer } from '../../server-import/parse-import.ts';
import type { NewServer } from './use-creation.ts';

/** The changes of a person to an import, by the names in the text. */
export interface ImportChoices {
  readonly names: ReadonlyMap<string, string>;
  readonly leftOut: ReadonlySet<string>;
}

/** No change. */
export const NO_CHOICES: ImportChoices = { names: new Map(), leftOut: new Set() };

/** A server of an import as it would be created. */
export interface PlannedServer extends NewServer {
  readonly isChosen: boolean;
  /** The sentences of what prevents its creation. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The facts that the gateway adds to an import. */
export interface GatewayFacts {
  /** The names of its servers. */
  readonly existing: ReadonlySet<string>;
  /** The problems of each definition, in the order of the import; `undefined` until they are known. */
  readonly checks: readonly (readonly string[])[] | undefined;
}

const nameOf = ({ source, name }: ImportedServer, { names }: ImportChoices): string =>
  names.get(source) ?? name;

/** Returns the servers of an import by the names that a person chose. */
export const namedServers = (
  servers: readonly ImportedServer[],
  choices: ImportChoices,
): readonly NewServer[] =>
  servers.map((server) => ({
    source: server.source,
    name: nameOf(server, choices),
    definition: server.definition,
  }));

const nameProblems = (
  name: string,
  {
    existing,
    chosen,
  }: { readonly existing: ReadonlySet<string>; readonly chosen: readonly string[] },
): readonly string[] => [
  ...(existing.has(name) ? [`The gateway has a server of the name "${name}" already.`] : []),
  ...(chosen.filter((other) => other === name).length > 1
    ? [`Another server of this import has the name "${name}" too.`]
    : []),
];

/** The rules of the gateway name the same defects again. */
const textsOf = (own: readonly ServerProblem[], checked: readonly string[]): readonly string[] =>
  own.length > 0 ? own.map(serverProblemText) : checked;

/** Returns what an import would create, with all problems. */
export const plannedServers = (
  servers: readonly ImportedServer[],
  choices: ImportChoices,
  { existing, checks }: GatewayFacts,
): readonly PlannedServer[] => {
  const isChosen = ({ source }: ImportedServer): boolean => !choices.leftOut.has(source);
  const chosen = servers.filter(isChosen).map((server) => nameOf(server, choices));
  return namedServers(servers, choices).map((server, at) => {
    const { problems = [], notes = [] } = servers[at] ?? {};
    return {
      ...server,
      isChosen: !choices.leftOut.has(server.source),
      problems: [
        ...nameProblems(server.name, { existing, chosen }),
        ...textsOf(problems, checks?.[at] ?? []),
      ],
      notes: notes.map(serverNoteText),
    };
  });
};

/** Returns the servers that can be created now. */
export const creatableServers = (planned: readonly PlannedServer[]): readonly PlannedServer[] =>
  planned.filter(({ isChosen, problems }) => isChosen && problems.length === 0);
