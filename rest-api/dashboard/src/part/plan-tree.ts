import type { PlanCell } from '../api/types.ts';

/** A cell of a plan with the cells inside it. */
export interface PlanNode {
  name: string;
  cell: PlanCell;
  children: PlanNode[];
}

/** The cells by their paths, as /stage1/block1/conv1; the network itself, /, is left out. */
export function planTree(cells: PlanCell[]): PlanNode[] {
  const top: PlanNode[] = [];
  const byPath = new Map<string, PlanNode>();
  for (const cell of cells) {
    if (cell.path === '/') {
      continue;
    }
    const cut = cell.path.lastIndexOf('/');
    const node: PlanNode = { name: cell.path.slice(cut + 1), cell, children: [] };
    byPath.set(cell.path, node);
    (byPath.get(cell.path.slice(0, cut))?.children ?? top).push(node);
  }
  return top;
}

/** The cells at or below a node that hold no others. */
export function leavesOf(node: PlanNode): PlanCell[] {
  return node.children.length === 0 ? [node.cell] : node.children.flatMap(leavesOf);
}
