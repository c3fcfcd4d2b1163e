import { isJsonObject, type JsonObject, isText, toObject, toText } from '@gateway/call-contract';
import { parseToolEffects, type ToolEffects } from '@gateway/toolset-composer';
import { formatJson } from '../../display/text-blocks.tsx';
import { pickField } from '../../mcp/json.ts';

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

/** Reads an answer of `describe_tool`. */
export const parseToolDetail = (answer: JsonObject): ToolDetail => ({
  name: '',
  description: '',
  kind: 'tool',
  ...pickField(answer, 'name', isText),
  ...pickField(answer, 'title', isText),
  ...pickField(answer, 'description', isText),
  ...pickField(answer, 'server', isText),
  ...pickField(answer, 'kind', isText),
  ...parseToolEffects(answer['annotations']),
  inputSchema: toObject(answer['inputSchema']),
  ...pickField(answer, 'outputSchema', isJsonObject),
  ...pickField(answer, 'annotations', isJsonObject),
});

const formatType = (schema: JsonObject): string => {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => formatJson(value) ?? 'any').join(' | ');
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
};

/** Returns the arguments of a schema, in its order. */
export const listArguments = ({
  inputSchema,
}: Pick<ToolDetail, 'inputSchema'>): readonly ToolArgument[] => {
  const { required } = inputSchema;
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(toObject(inputSchema['properties'])).map(([name, value]) => {
    const schema = toObject(value);
    return {
      name,
      type: formatType(schema),
      isRequired: names.has(name),
      description: toText(schema['description']),
    };
  });
};
