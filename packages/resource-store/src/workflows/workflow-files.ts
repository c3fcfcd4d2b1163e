import type { Workflow } from '@gateway/crd-schemas';
import { RESOURCE_DIRECTORIES } from '../files/scan-directory.ts';
import type { WorkflowWriteResult, WorkflowWriter } from '../workflow-writer.ts';
import { failed, YamlFiles, type MadeText, type TextBefore } from '../writing/yaml-files.ts';
import { workflowText } from './workflow-text.ts';

/** What writing needs. */
export interface WorkflowFilesParts {
  readonly directory: string;
  readonly apiGroup?: string;
  /** Takes a file in as it is now. */
  readonly onWritten: (file: string) => Promise<void>;
}

type Request = Omit<Parameters<typeof workflowText>[0], 'apiGroup'>;

/** The files under `workflows/`, as somebody who writes them sees them. */
export class WorkflowFiles implements WorkflowWriter {
  readonly #apiGroup: string | undefined;
  readonly #files: YamlFiles;

  constructor({ directory, apiGroup, onWritten }: WorkflowFilesParts) {
    this.#apiGroup = apiGroup;
    this.#files = new YamlFiles({
      root: directory,
      folder: RESOURCE_DIRECTORIES.Workflow,
      onWritten,
    });
  }

  readonly create = (workflow: Workflow): Promise<WorkflowWriteResult> =>
    this.#files.create(workflow.metadata.name, () => this.#made({ workflow, bornAt: Date.now() }));

  readonly replace = (workflow: Workflow): Promise<WorkflowWriteResult> =>
    this.#files.replace(workflow.metadata.name, (before) =>
      this.#made({ workflow, ...textOf(before) }),
    );

  readonly remove = (name: string): Promise<WorkflowWriteResult> => this.#files.remove(name);

  /** Refuses what comes from now on and waits for what is running. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #made(request: Request): MadeText<WorkflowWriteResult> {
    const apiGroup = this.#apiGroup;
    const made = workflowText({ ...request, ...(apiGroup === undefined ? {} : { apiGroup }) });
    if (made.ok) return made;
    return { ok: false, result: failed(`the workflow cannot be written: ${made.reason}`) };
  }
}

/** A file that is too broken to be kept is written anew. */
const textOf = (before: TextBefore): { readonly before?: string } =>
  before.kind === 'text' ? { before: before.text } : {};
