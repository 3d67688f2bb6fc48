import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavesOf, planTree } from '../../src/part/plan-tree.ts';
import { fakePlan } from '../mock/plan.ts';

test('cells lie below those whose path they begin with, all of them once', () => {
  const plan = fakePlan('resnet20', 'O2', 'fp16');
  const tree = planTree(plan.cells);
  assert.deepEqual(tree.slice(0, 4).map((node) => node.name), ['conv1', 'bn1', 'relu', 'stage1']);
  assert.equal(tree[3]!.children[0]!.children[0]!.name, 'branch');
  const count = (nodes: typeof tree): number => nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
  assert.equal(count(tree), plan.cells.length - 1);
  assert.ok(tree.flatMap(leavesOf).every((cell) => cell.class !== 'Sequential'));
});
