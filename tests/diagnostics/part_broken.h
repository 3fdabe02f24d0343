float gain(flot v, int n);
int other(;
