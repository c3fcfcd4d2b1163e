import { parseMcpServer, validationIssueText, type ValidationIssue } from '@gateway/crd-schemas';
import type { ResourceProblem } from '../resource-problem.ts';
import { parseYaml, type ParsedYaml } from '../yaml/parse-yaml.ts';
import type { FileRole } from './file-role.ts';
import type { Outcome } from './outcome.ts';

/** A file of the directory. */
export interface NamedFile {
  readonly file: string;
  readonly role: FileRole;
}

type Readable = Extract<ParsedYaml, { ok: true }>;

/** A problem of this file as a whole, or at a place in it. */
export const problemOf = (
  { file, role }: NamedFile,
  message: string,
  position: { readonly line?: number; readonly column?: number } = {},
): ResourceProblem => ({
  file,
  ...(position.line === undefined ? {} : { line: position.line }),
  ...(position.column === undefined ? {} : { column: position.column }),
  kind: role.kind,
  ...(role.kind === 'MCPServer' ? { name: role.name } : {}),
  message,
});

/** A file's name that the resource does not carry; a name that is wrong in itself is reported with the fields. */
const nameIssues = (value: unknown, name: string): readonly ValidationIssue[] => {
  const metadata = (value as { readonly metadata?: unknown }).metadata;
  const actual = (metadata as { readonly name?: unknown } | null | undefined)?.name;
  return typeof actual !== 'string' || actual === name
    ? []
    : [{ path: ['metadata', 'name'], message: `must equal the name of the file, ${name}` }];
};

const interpretServer = (
  named: NamedFile,
  name: string,
  { value, locate }: Readable,
  apiGroup: string | undefined,
): Outcome => {
  if (value === null)
    return { kind: 'problems', problems: [problemOf(named, 'the file is empty')] };
  const parsed = parseMcpServer(value, apiGroup === undefined ? {} : { apiGroup });
  const issues = [...nameIssues(value, name), ...(parsed.ok ? [] : parsed.issues)];
  if (parsed.ok && issues.length === 0) return { kind: 'server', server: parsed.server };
  const problems = issues.map((issue) =>
    problemOf(named, validationIssueText(issue), locate(issue.path)),
  );
  return { kind: 'problems', problems };
};

/** What the text of a file amounts to. Pure; never throws. @spec §1.5 */
export const interpretFile = (named: NamedFile, text: string, apiGroup?: string): Outcome => {
  const parsed = parseYaml(text);
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ message, ...position }) =>
      problemOf(named, message, position),
    );
    return { kind: 'problems', problems };
  }
  const { role, file } = named;
  if (role.kind === 'MCPServer') return interpretServer(named, role.name, parsed, apiGroup);
  const { value, locate } = parsed;
  return { kind: 'config', text, config: { file, value: value ?? {}, locate } };
};
