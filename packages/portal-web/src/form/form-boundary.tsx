import { Component, type ReactNode } from 'react';

interface FormBoundaryProps {
  /** In the place of a form that failed. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Keeps the failure of a form to the form: a server chooses the schema, and the form library throws for some of them. */
export class FormBoundary extends Component<FormBoundaryProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override state = { hasFailed: false };

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
