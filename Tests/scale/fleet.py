"""Several Landfalls that share one database, each with a port and a data folder of its own.

Invariant: all are ended when the fleet is, whatever happened; an instance that ended by itself is a fault.
"""

import contextlib
import json
import os

from program import Program, configuration, free_port


class Instance:
    """One server of a fleet, through many processes."""

    def __init__(self, folder, text, settings):
        self.config = configuration(folder, f"results: {json.dumps(settings)}\n{text}")
        self.data = os.path.join(folder, "data")
        self.port = free_port()
        self.program = self.former = None

    def launch(self, *options):
        self.program = Program(self.config, self.data, self.port, *options)

    def start(self):
        self.launch()
        self.program.wait_until_ready()

    def take_over(self):
        """Another process takes the sockets and the folder over; the former one ends in order."""
        self.former = self.program
        self.launch("--take-over")
        self.program.wait_until_ready()
        code = self.former.wait_until_gone()
        self.former = None
        return code

    def end(self):
        for program in (self.former, self.program):
            if program and not program.has_ended():
                program.kill()


class Fleet(contextlib.AbstractContextManager):
    """Instances with the same settings of results, all started; `text` is what else is configured."""

    def __init__(self, folder, count, text="", **settings):
        self.instances = [Instance(os.path.join(folder, f"instance-{number}"), text, settings)
                          for number in range(count)]
        try:
            # One by one: the first one makes the tables.
            for instance in self.instances:
                instance.start()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for instance in self.instances:
            instance.end()

    def __getitem__(self, index):
        return self.instances[index]

    @property
    def ports(self):
        return [instance.port for instance in self.instances]

    @property
    def pids(self):
        return [instance.program.pid for instance in self.instances]

    def expect_running(self):
        for instance in self.instances:
            instance.program.expect_running()
