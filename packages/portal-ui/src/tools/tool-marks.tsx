import { Badge } from '@mantine/core';
import type { CatalogTool } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';

/** Shows whether a tool only reads, or may destroy something. */
export const ToolMarks = ({
  tool,
}: {
  readonly tool: Pick<CatalogTool, 'isReadOnly' | 'isDestructive'>;
}): ReactNode => {
  if (tool.isReadOnly)
    return (
      <Badge size="xs" variant="light" color="teal" flex="none">
        read-only
      </Badge>
    );
  if (!tool.isDestructive) return null;
  return (
    <Badge size="xs" variant="light" color="red" flex="none">
      destructive
    </Badge>
  );
};
