import { effectsOf, type ToolEffects } from '@gateway/toolset-composer';
import { jsonText } from '../../display/json-text.ts';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** A tool as `describe_tool` returns it. @spec §2.4 */
export interface ToolDetail extends ToolEffects {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly server?: string;
  readonly kind: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** One argument of a tool. */
export interface ToolArgument {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const optionalText = <Name extends string>(
  answer: JsonObject,
  name: Name,
): { readonly [Key in Name]?: string } => {
  const value = answer[name];
  return (typeof value === 'string' ? { [name]: value } : {}) as {
    readonly [Key in Name]?: string;
  };
};

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Reads an answer of `describe_tool`. */
export const toolDetailOf = (answer: JsonObject): ToolDetail => {
  const { annotations, outputSchema } = answer;
  return {
    name: '',
    description: '',
    kind: 'tool',
    ...optionalText(answer, 'name'),
    ...optionalText(answer, 'title'),
    ...optionalText(answer, 'description'),
    ...optionalText(answer, 'server'),
    ...optionalText(answer, 'kind'),
    ...effectsOf(annotations),
    inputSchema: objectOf(answer['inputSchema']),
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
  };
};

const typeOf = (schema: JsonObject): string => {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => jsonText(value) ?? 'any').join(' | ');
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
};

/** Returns the arguments of a schema, in its order. */
export const argumentsOf = ({
  inputSchema,
}: Pick<ToolDetail, 'inputSchema'>): readonly ToolArgument[] => {
  const { required } = inputSchema;
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(objectOf(inputSchema['properties'])).map(([name, value]) => {
    const schema = objectOf(value);
    const { description } = schema;
    return {
      name,
      type: typeOf(schema),
      isRequired: names.has(name),
      description: typeof description === 'string' ? description : '',
    };
  });
};
