import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact } from '../../display/fact.tsx';
import type { ToolDetail } from './tool-detail.ts';

/** The hints of MCP with their names. MCP 2026-07-28, `ToolAnnotations` */
const HINTS = [
  ['readOnlyHint', 'Only reads'],
  ['destructiveHint', 'Deletes or overwrites something'],
  ['idempotentHint', 'Has no further effect when repeated'],
  ['openWorldHint', 'Reaches systems outside of its server'],
] as const;

const hintText = (value: unknown): string => {
  if (value === true) return 'yes';
  return value === false ? 'no' : 'not stated';
};

/** Shows the title and the hints of a tool. */
export const ToolAnnotations = ({
  tool: { title, annotations = {} },
}: {
  readonly tool: Pick<ToolDetail, 'title' | 'annotations'>;
}): ReactNode => (
  <Stack gap="xs" component="section" aria-label="Annotations">
    <Title order={2} size="h5">
      Annotations
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {title !== undefined && (
        <Fact label="Title">
          <bdi>{title}</bdi>
        </Fact>
      )}
      {HINTS.map(([hint, label]) => (
        <Fact key={hint} label={label}>
          {hintText(annotations[hint])}
        </Fact>
      ))}
    </SimpleGrid>
    <Text size="xs" c="dimmed">
      They are statements of the server about its tool. The gateway does not verify them.
    </Text>
  </Stack>
);
