/* SPDX-License-Identifier: MIT */
/* Chang-Roberts with the announcement lap on a one-way ring of N nodes, worst order of ids; every
   node has started: its own ELECTION is in the channel. One transition a delivery. */
#ifndef N
#define N 8
#endif
mtype = { election, elected };
chan inlet[N] = [N] of { mtype, byte };
byte role[N];      /* 0 undecided, 1 leader, 2 knows the leader */
byte leader[N];

proctype node(byte self)
{
    byte id;
    do
    :: d_step {
        inlet[self]?election, id ->
        if
        :: id == N - self -> role[self] = 1; leader[self] = id; inlet[(self + 1) % N]!elected, id
        :: id > N - self -> inlet[(self + 1) % N]!election, id
        :: else
        fi;
        id = 0
    }
    :: d_step {
        inlet[self]?elected, id ->
        if
        :: role[self] == 0 -> role[self] = 2; leader[self] = id; inlet[(self + 1) % N]!elected, id
        :: else
        fi;
        id = 0
    }
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) { inlet[(i + 1) % N]!election, N - i }
        for (i : 0 .. N - 1) { run node(i) }
        i = 0
    }
}
