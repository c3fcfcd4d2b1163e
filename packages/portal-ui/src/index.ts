export { ToolsetCard, type ToolsetCardProps } from './card/toolset-card-view.tsx';
export { ResolvedTools } from './tools/resolved-tools.tsx';
export { ToolList, type ToolListProps } from './tools/tool-list.tsx';
export { ToolMarks } from './tools/tool-marks.tsx';
