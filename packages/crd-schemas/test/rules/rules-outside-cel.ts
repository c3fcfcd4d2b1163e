/** A rule of the gateway that no CEL expression states. */
interface RuleOutsideCel {
  readonly id: string;
  /** The rule, and the reason that no expression states it. */
  readonly why: string;
  /** True when the JSON Schema states it. The CustomResourceDefinition states none of these. */
  readonly isInJsonSchema: boolean;
}

const inJsonSchema = (id: string, why: string): RuleOutsideCel => ({
  id,
  why,
  isInJsonSchema: true,
});
const inParser = (id: string, why: string): RuleOutsideCel => ({ id, why, isInJsonSchema: false });

/**
 * The reasons for which a document can be refused although it satisfies its schema and every rule of `listCelRules`. A cluster
 * accepts such a document, and the gateway reports it in the status.
 *
 * @spec §2.7, §7.6
 */
export const RULES_OUTSIDE_CEL: readonly RuleOutsideCel[] = [
  inParser('url-parses', 'A URL is valid for its client; isURL() of the API server asks Go.'),
  inJsonSchema('map-keys', 'Keys have a syntax and a length; Kubernetes has no keyword for keys.'),
  inParser(
    'header-case',
    'Names of headers differ in more than case; keys have no bounded length.',
  ),
  inParser(
    'glob-compiles',
    'Ranges of a pattern ascend; a regular expression compares no characters.',
  ),
  inParser('default-twice', 'An argument has one default; CEL does not see the keys of defaults.'),
  inJsonSchema('null-values', 'Null is no value; the API server removes such fields first.'),
  inJsonSchema(
    'default-fits-type',
    'A default has the type of its argument, which CEL cannot see.',
  ),
  inParser('unique-ids', 'Ids are unique; comparing each with each costs 3.2 times the budget.'),
  inParser('template-syntax', 'Every template parses; no function of CEL reads templates.'),
  inParser('path-syntax', 'Every key of jsonPath is a path; CEL does not see these keys.'),
  inParser('value-size', 'Free-form values have a size and a depth; CEL does not see them.'),
  inParser('all-steps', 'At most 5,000 steps and handlers, checked before the walk.'),
];
