import { serverNoteText, serverProblemText, type ServerProblem } from '@gateway/client-config';
import type { ImportedServer } from '@gateway/client-config';
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
  /** True for a problem that remains when other servers are left out. */
  readonly isRefused: boolean;
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

const takenProblems = (name: string, existing: ReadonlySet<string>): readonly string[] =>
  existing.has(name) ? [`The gateway has a server of the name "${name}" already.`] : [];

const repeatedProblems = (name: string, chosen: readonly string[]): readonly string[] =>
  chosen.filter((other) => other === name).length > 1
    ? [`Another server of this import has the name "${name}" too.`]
    : [];

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
    const taken = takenProblems(server.name, existing);
    const refused = textsOf(problems, checks?.[at] ?? []);
    return {
      ...server,
      isChosen: !choices.leftOut.has(server.source),
      isRefused: taken.length + refused.length > 0,
      problems: [...taken, ...repeatedProblems(server.name, chosen), ...refused],
      notes: notes.map(serverNoteText),
    };
  });
};

/** Returns the servers that can be created now. */
export const creatableServers = (planned: readonly PlannedServer[]): readonly PlannedServer[] =>
  planned.filter(({ isChosen, problems }) => isChosen && problems.length === 0);
