import {
  DEFAULT_API_GROUP,
  MAX_RESOURCE_BYTES,
  parseMcpServer,
  parseWorkflow,
  validationIssueText,
  type ParsedMcpServer,
  type ParsedWorkflow,
} from '@gateway/crd-schemas';
import type { Mapping } from '@gateway/files';
import { fieldsOf } from '@gateway/kube-client';
import type { ResourceKind } from '../port/resource-key.ts';
import { STDIO_REFUSAL, type ObjectRules } from './interpret-object.ts';
import { parseTolerantly, withoutFields } from './unknown-fields.ts';

const parserOf = (
  kind: ResourceKind,
  apiGroup: string,
): ((document: unknown) => ParsedMcpServer | ParsedWorkflow) =>
  kind === 'MCPServer'
    ? (document) => parseMcpServer(document, { apiGroup })
    : (document) => parseWorkflow(document, { apiGroup });

/** Returns a function that returns the problems of a document. Unknown fields that it had before are not problems. */
export const checkWith =
  ({ apiGroup = DEFAULT_API_GROUP, allowStdio }: Pick<ObjectRules, 'apiGroup' | 'allowStdio'>) =>
  (kind: ResourceKind, document: Mapping, before?: Mapping): readonly string[] => {
    if (Buffer.byteLength(JSON.stringify(document)) > MAX_RESOURCE_BYTES)
      return [`it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`];
    const parse = parserOf(kind, apiGroup);
    const { ignored } = before === undefined ? { ignored: [] } : parseTolerantly(before, parse);
    const parsed = parse(withoutFields({ before, after: document }, ignored));
    if (!parsed.ok) return parsed.issues.map(validationIssueText);
    const isStdio = kind === 'MCPServer' && fieldsOf(document['spec'])['type'] === 'stdio';
    return isStdio && !allowStdio ? [STDIO_REFUSAL] : [];
  };

/** Returns the fields of a workflow that only a newer CustomResourceDefinition has. */
export const newerFields = (document: Mapping, apiGroup: string): Mapping => {
  const { ignored } = parseTolerantly(document, parserOf('Workflow', apiGroup));
  const names = ignored.flatMap(({ path: [field, name] }) => (field === 'spec' ? [name] : []));
  return Object.fromEntries(
    Object.entries(fieldsOf(document['spec'])).filter(([name]) => names.includes(name)),
  );
};
