import {
  overlookedFiles,
  resourceProblemText,
  type ResourceProblem,
  type StoreState,
} from '@gateway/resource-store';
import { problemLine, type DiagnosisLine } from '../output/diagnosis.ts';

const CORRECT = 'Correct the file; gateway validate --config-dir checks it again.';

/** Returns a line for each problem of `config.yaml`. */
export const configurationLines = (
  problems: readonly ResourceProblem[],
): readonly DiagnosisLine[] =>
  problems.map((problem) =>
    problemLine('configuration', 'configuration-refused', {
      ...{ message: resourceProblemText(problem), remedy: CORRECT },
    }),
  );

/** Returns a line for each file that is not used, and each that is not read. */
export const fileLines = async (
  directory: string,
  { problems }: StoreState,
): Promise<readonly DiagnosisLine[]> => [
  ...problems.map((problem) =>
    problemLine('files', 'file-refused', {
      ...{ message: resourceProblemText(problem), remedy: CORRECT },
    }),
  ),
  ...(await overlookedFiles(directory)).map(({ file, message }): DiagnosisLine => ({
    ...{ area: 'files', code: 'file-overlooked', severity: 'note' },
    message: `${file}: ${message}`,
  })),
];

/** Returns a note when resource files exist that a gateway in a cluster does not use. */
export const unusedFileLines = ({ servers, workflows }: StoreState): readonly DiagnosisLine[] => {
  const count = servers.length + workflows.length;
  if (count === 0) return [];
  return [
    {
      ...{ area: 'files', code: 'files-unused', severity: 'note' },
      message: `${count === 1 ? '1 file' : `${String(count)} files`} in mcpservers/ and workflows/ not used, because kubernetes is enabled.`,
      remedy: 'Create the resources as objects of the cluster, or delete the files.',
    },
  ];
};
