package risk

import "container/heap"

// The lattice of full-domain generalisations: one level of its ladder for each
// column. Going up one level in one column makes a child. The loss of a node
// is the sum of its columns' losses, which only grow along a ladder, so that
// nodes visited in the order of their loss never come too late: the first one
// that satisfies is the one with the least loss.

// node is a choice of levels.
type node struct {
	levels []uint8
	loss   float64
	last   int // columns before this one are not raised any more: every node has one parent
}

// queue is a heap of nodes, the one with the least loss first; equal ones in
// the order of their levels, so that the same data give the same proposal.
type queue []node

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].loss != q[j].loss {
		return q[i].loss < q[j].loss
	}
	return string(q[i].levels) < string(q[j].levels)
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(node)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// climb visits the nodes at and above start in the order of their loss until
// visit says that it has seen enough.
func climb(ladders [][]*recoding, start []uint8, visit func(levels []uint8) (enough bool)) {
	loss := func(levels []uint8) float64 {
		sum := 0.0
		for i, level := range levels {
			sum += ladders[i][level].mean
		}
		return sum
	}
	q := &queue{{levels: start, loss: loss(start)}}
	for q.Len() > 0 {
		n := heap.Pop(q).(node)
		if visit(n.levels) {
			return
		}
		for i := n.last; i < len(ladders); i++ {
			if int(n.levels[i])+1 < len(ladders[i]) {
				up := append([]uint8(nil), n.levels...)
				up[i]++
				heap.Push(q, node{up, loss(up), i})
			}
		}
	}
}
