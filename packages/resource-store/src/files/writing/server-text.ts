import { parseMcpServer, validationIssueText } from '@gateway/crd-schemas';
import { nameIssues } from '../interpretation/name-issues.ts';
import {
  isMapping,
  type Mapping,
  MAX_FILE_BYTES,
  mergePatch,
  parseYaml,
  rewriteYaml,
} from '@gateway/durable-files';
import type { ServerWriteResult } from '../../port/server-writer.ts';
import { failed, type MadeText, type TextBefore } from './yaml-files.ts';

/** Whose text is made. */
export interface ServerTextRequest {
  /** After the file's name, which the resource has to carry. */
  readonly name: string;
  readonly apiGroup?: string;
}

type Made = MadeText<ServerWriteResult>;

const refused = (reason: string): Made => ({
  ok: false,
  result: failed(`the server cannot be written: ${reason}`),
});

const issuesOf = (document: Mapping, { name, apiGroup }: ServerTextRequest): readonly string[] => {
  const parsed = parseMcpServer(document, apiGroup === undefined ? {} : { apiGroup });
  return [...nameIssues(document, name), ...(parsed.ok ? [] : parsed.issues)].map(
    validationIssueText,
  );
};

/** Checks what is to be said, then makes the text that says it. */
const madeText = (before: string, document: Mapping, request: ServerTextRequest): Made => {
  const issues = issuesOf(document, request);
  if (issues.length > 0) return { ok: false, result: { kind: 'invalid', issues } };
  const text = rewriteYaml(before, document);
  if (text === undefined) return refused('it cannot be written as YAML that says the same');
  return Buffer.byteLength(text) > MAX_FILE_BYTES
    ? refused(`it would be larger than ${String(MAX_FILE_BYTES)} bytes`)
    : { ok: true, text };
};

/** The text of a new file. Never throws. */
export const newServerText = (document: Mapping, request: ServerTextRequest): Made =>
  madeText('', document, request);

/** The text that is there, with a patch merged into its `spec`. Never throws. */
export const patchedServerText = (
  before: TextBefore,
  specPatch: Mapping,
  request: ServerTextRequest,
): Made => {
  if (before.kind === 'unusable') return refused(`its file ${before.reason}`);
  const parsed = parseYaml(before.text);
  if (!parsed.ok || !isMapping(parsed.value)) {
    return refused('its file is not a YAML mapping; mend it by hand first');
  }
  const document = mergePatch(parsed.value, { spec: specPatch });
  return madeText(before.text, document as Mapping, request);
};
