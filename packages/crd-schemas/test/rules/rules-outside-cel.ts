import type { ResourceKind } from '../../src/index.ts';

/** A rule of the gateway that no CEL expression states. */
export interface RuleOutsideCel {
  readonly id: string;
  readonly kinds: readonly ResourceKind[];
  readonly statement: string;
  /** The reason that no expression states it. */
  readonly reason: string;
  /** True when the JSON Schema states it. The CustomResourceDefinition states none of these. */
  readonly isInJsonSchema: boolean;
}

/**
 * The reasons for which a document can be refused although it satisfies its schema and every rule of `listCelRules`. A cluster
 * accepts such a document, and the gateway reports it in the status.
 *
 * @spec §2.7, §7.6
 */
export const RULES_OUTSIDE_CEL: readonly RuleOutsideCel[] = [
  {
    id: 'url-parses',
    kinds: ['MCPServer'],
    statement: 'A URL is valid for the client that will use it, beyond its pattern.',
    reason: `The API server's isURL() asks Go, which reads other texts as URLs than the client does.`,
    isInJsonSchema: false,
  },
  {
    id: 'map-keys',
    kinds: ['MCPServer', 'Workflow'],
    statement:
      'Names of variables, headers and arguments have a syntax, a length, and one that is reserved.',
    reason:
      'Concerns no other field; Kubernetes has no keyword for keys, and a rule would blame the map, not the key.',
    isInJsonSchema: true,
  },
  {
    id: 'header-case',
    kinds: ['MCPServer'],
    statement: 'No header of headersFrom differs from one of headers in case only.',
    reason: 'Keys of a map have no bounded length for the API server, so that it refuses the cost.',
    isInJsonSchema: false,
  },
  {
    id: 'null-values',
    kinds: ['MCPServer', 'Workflow'],
    statement: 'An optional field and an entry of a map have a value; null is none.',
    reason: 'The API server removes such fields before it evaluates rules.',
    isInJsonSchema: true,
  },
  {
    id: 'default-fits-type',
    kinds: ['Workflow'],
    statement: 'The default of an argument is of the type of the argument.',
    reason: 'Rules of the API server do not see values of any type.',
    isInJsonSchema: true,
  },
  {
    id: 'unique-ids',
    kinds: ['Workflow'],
    statement: 'Every step, sub-step and handler has an id of its own.',
    reason:
      'To compare each step with each costs 3.2 times the budget of a rule, sub-steps not counted.',
    isInJsonSchema: false,
  },
  {
    id: 'template-syntax',
    kinds: ['Workflow'],
    statement: 'Every template parses.',
    reason: 'No function of CEL reads templates, and free-form values are not seen.',
    isInJsonSchema: false,
  },
  {
    id: 'path-syntax',
    kinds: ['Workflow'],
    statement: 'Every key of jsonPath is a path or a template.',
    reason: 'Rules of the API server do not see the keys of a free-form mapping.',
    isInJsonSchema: false,
  },
  {
    id: 'value-size',
    kinds: ['Workflow'],
    statement:
      'A free-form value is at most 64 deep and has at most 50,000 values and 1,048,576 characters.',
    reason: 'Rules of the API server do not see free-form values.',
    isInJsonSchema: false,
  },
  {
    id: 'all-steps',
    kinds: ['Workflow'],
    statement: 'A workflow has at most 5,000 steps, sub-steps and handlers.',
    reason: 'Is asked before anything else, so that no larger document is walked.',
    isInJsonSchema: false,
  },
];
