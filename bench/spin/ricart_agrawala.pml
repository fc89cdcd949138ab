/* SPDX-License-Identifier: MIT */
/* Ricart-Agrawala as in the textbook, one request for each of N nodes, a fifo channel for each
   ordered pair. One transition a request, an exit or a delivery; entering is part of the last reply. */
#ifndef N
#define N 3
#endif
mtype = { request, reply };
chan link[N * N] = [2] of { mtype, byte };   /* from * N + to */
byte phase[N];      /* 0 idle, 1 wants, 2 is in, 3 has been in */
byte clock[N];
byte stamp[N];
byte needed[N];
byte deferred[N];   /* a bit a node */

#define MINE(self, from, ts) (stamp[self] < ts || (stamp[self] == ts && self < from))

proctype node(byte self)
{
    byte ts;
    byte i;
    do
    :: d_step {
        phase[self] == 0 ->
        clock[self]++;
        stamp[self] = clock[self];
        phase[self] = 1;
        needed[self] = N - 1;
        for (i : 0 .. N - 1) { if :: i != self -> link[self * N + i]!request, stamp[self] :: else fi }
        i = 0
    }
    :: d_step {
        phase[self] == 2 ->
        phase[self] = 3;
        stamp[self] = 0;
        for (i : 0 .. N - 1) { if :: deferred[self] & (1 << i) -> link[self * N + i]!reply, 0 :: else fi }
        deferred[self] = 0;
        i = 0
    }
    od
}

/* Deliveries are processes of their own: one for each link. */
proctype delivery(byte from; byte self)
{
    byte ts;
    do
    :: d_step {
        link[from * N + self]?request, ts ->
        if :: ts > clock[self] -> clock[self] = ts :: else fi;
        if
        :: phase[self] == 2 || (phase[self] == 1 && MINE(self, from, ts)) ->
            deferred[self] = deferred[self] | (1 << from)
        :: else -> link[self * N + from]!reply, 0
        fi;
        ts = 0
    }
    :: d_step {
        link[from * N + self]?reply, ts ->
        needed[self]--;
        if :: needed[self] == 0 -> phase[self] = 2 :: else fi
    }
    od
}

init {
    byte i;
    byte j;
    atomic {
        for (i : 0 .. N - 1) {
            run node(i);
            for (j : 0 .. N - 1) { if :: i != j -> run delivery(i, j) :: else fi }
        }
        i = 0;
        j = 0
    }
}
