import { Alert, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import type { PresetRule } from './preset-rules.ts';
import { usePresetRules } from './use-preset.ts';

const Subject = ({ rule: { subject, preset } }: { readonly rule: PresetRule }): ReactNode => {
  if (preset !== undefined)
    return (
      <PageLink to="/presets/$preset" params={{ preset }} inherit>
        <bdi>{preset}</bdi>
      </PageLink>
    );
  return (
    <Text span ff="monospace" size="sm">
      <bdi>{subject}</bdi>
    </Text>
  );
};

const Rules = ({
  title,
  rules,
}: {
  readonly title: string;
  readonly rules: readonly PresetRule[];
}): ReactNode =>
  rules.length === 0 ? null : (
    <>
      <Title order={3} size="h6">
        {title}
      </Title>
      <List size="sm" aria-label={title} style={{ overflowWrap: 'anywhere' }}>
        {rules.map((rule, at) => (
          <List.Item key={at}>
            {rule.text} {rule.subject !== undefined && <Subject rule={rule} />}
          </List.Item>
        ))}
      </List>
    </>
  );

/** The rules of a preset: what it includes, and what it leaves out of that. */
export const PresetRuleList = ({ name }: { readonly name: string }): ReactNode => {
  const { data, error } = usePresetRules(name);
  if (error !== null)
    return (
      <Alert color="yellow" role="alert" title="You cannot read the rules">
        {error.message}
      </Alert>
    );
  if (data === undefined) return <LoadingSign label="Loading the rules" />;
  if (data === null)
    return <Text size="sm">The configuration of the gateway has no such preset.</Text>;
  return (
    <>
      {data.include.length === 0 && <Text size="sm">It selects nothing.</Text>}
      <Rules title="Includes" rules={data.include} />
      <Rules title="Without" rules={data.exclude} />
    </>
  );
};
