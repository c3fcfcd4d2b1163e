/** Who offers a name: a server, a family, a workflow, or the gateway itself. */
export interface NameOwner {
  readonly kind: 'server' | 'family' | 'workflow' | 'core';
  readonly name: string;
}

/** Something that the catalog cannot serve as its server or its family says. */
export type CatalogWarning =
  | {
      /** Members disagree on `instanceArg`: the whole family is served per server. @spec §2.6 */
      readonly code: 'family.instance-arg-divergence';
      readonly family: string;
      readonly instanceArgs: readonly string[];
      readonly servers: readonly string[];
    }
  | {
      /** One tool of a family is served per server. */
      readonly code:
        | 'family.description-divergence'
        | 'family.schema-divergence'
        | 'family.instance-arg-collision';
      readonly family: string;
      readonly tool: string;
      readonly instanceArg: string;
      readonly servers: readonly string[];
    }
  | {
      /** Two tools, or two prompts, have one exposed name: the first in catalog order keeps it. */
      readonly code: 'tool.name-collision' | 'prompt.name-collision';
      readonly name: string;
      readonly kept: NameOwner;
      readonly dropped: NameOwner;
    };

const quoted = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');

const owner = ({ kind, name }: NameOwner): string =>
  kind === 'core' ? 'the gateway' : `${kind} ${JSON.stringify(name)}`;

type FamilyToolWarning = Extract<CatalogWarning, { readonly tool: string }>;

const toolReasons: {
  readonly [C in FamilyToolWarning['code']]: (warning: FamilyToolWarning) => string;
} = {
  'family.description-divergence': () => 'its members describe it differently',
  'family.schema-divergence': () => 'its members give it different input schemas',
  'family.instance-arg-collision': ({ instanceArg }) =>
    `it already has an argument ${JSON.stringify(instanceArg)}`,
};

/** The warning as one line for a log. */
export function catalogWarningText(warning: CatalogWarning): string {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
      return `family ${JSON.stringify(warning.family)} is served per server: its members disagree on instanceArg (${quoted(warning.instanceArgs)}; servers ${quoted(warning.servers)})`;
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return `tool ${JSON.stringify(warning.tool)} of family ${JSON.stringify(warning.family)} is served per server: ${toolReasons[warning.code](warning)} (servers ${quoted(warning.servers)})`;
    case 'tool.name-collision':
      return `tool name ${JSON.stringify(warning.name)} is taken: ${owner(warning.kept)} keeps it, the one of ${owner(warning.dropped)} is not served`;
    case 'prompt.name-collision':
      return `prompt name ${JSON.stringify(warning.name)} is taken: ${owner(warning.kept)} keeps it, the one of ${owner(warning.dropped)} is not served`;
  }
}
