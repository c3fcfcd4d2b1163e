import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 200;

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly query: string | undefined;
  /** Changes the address. */
  readonly onSearch: (query: string) => void;
}

/**
 * A search field whose value is in the address. The address follows the text after a pause; the text follows the address when something
 * else changes it, such as a link.
 */
export const SearchField = ({ query = '', onSearch, ...props }: SearchFieldProps): ReactNode => {
  const [text, setText] = useState(query);
  const sent = useRef(query);
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onSearch(next);
  }, DEBOUNCE_MS);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  return (
    <TextInput
      type="search"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        send(currentTarget.value);
      }}
      {...props}
    />
  );
};

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

interface FilterSelectProps {
  readonly label: string;
  readonly choices: readonly FilterChoice[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A filter in the address. A value that is not offered is shown too, so that the filter in force can be seen. */
export const FilterSelect = ({
  label,
  choices,
  value = '',
  onChange,
}: FilterSelectProps): ReactNode => (
  <NativeSelect
    label={label}
    value={value}
    data={
      choices.some((choice) => choice.value === value)
        ? choices
        : [...choices, { value, label: value }]
    }
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
